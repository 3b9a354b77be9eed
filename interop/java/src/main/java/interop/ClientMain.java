package interop;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * The official Java client drives our conformance agent and looks closely at the answers.
 *
 * <pre>
 * interop.ClientMain --base URL [--run RUN] [--token TOKEN] [--only REGEX]
 * </pre>
 *
 * The agent must have been started with the options of the run ({@code ../matrix/runs.py}). One
 * line a scenario, {@code ok BINDING/SCENARIO} or {@code FAIL BINDING/SCENARIO REASON}; the exit status
 * is 1 when one failed.
 */
public final class ClientMain {
    private static final int SECONDS = 60;

    public static void main(String[] arguments) {
        var options = Options.of(arguments, Set.of("base", "run", "token", "only"), Set.of());
        var scenarios = scenarios(options.get("run", "default"));
        var wire = new Wire();
        var threads = Executors.newCachedThreadPool(task -> {
            var thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
        var failed = false;
        for (var binding : List.of("JSONRPC", "HTTP+JSON", "GRPC")) {
            var peer = new Peer(options.get("base", ""), binding, wire).as(options.get("token", null));
            for (var scenario : scenarios.entrySet()) {
                var cell = binding + "/" + scenario.getKey();
                if (!Pattern.compile(options.get("only", "")).matcher(cell).find()) {
                    continue;
                }
                var run = threads.submit(() -> {
                    scenario.getValue().run(peer);
                    return null;
                });
                try {
                    run.get(SECONDS, TimeUnit.SECONDS);
                    System.out.println("ok " + cell);
                } catch (TimeoutException e) {
                    run.cancel(true);
                    System.out.println("FAIL " + cell + " not done within " + SECONDS + " s");
                    failed = true;
                } catch (Exception e) {
                    System.out.println("FAIL " + cell + " " + reason(e.getCause() == null ? e : e.getCause()));
                    failed = true;
                }
            }
        }
        System.exit(failed ? 1 : 0);
    }

    private static Map<String, Scenarios.Scenario> scenarios(String run) {
        return switch (run) {
            case "default" -> Scenarios.all();
            case "bare" -> Map.of("capabilities", Access::capabilities);
            case "auth" -> Map.of("credentials", Access::credentials, "extended_card", Access::extendedCard);
            case "extension" -> Map.of("extension", Access::extension);
            case "broken" -> Map.of("card_not_configured", Access::cardNotConfigured,
                    "invalid_agent_response", Access::invalidAgentResponse);
            default -> throw new IllegalArgumentException("no such run: " + run);
        };
    }

    /** An error with its causes and the place in the scenario, on one line. */
    private static String reason(Throwable error) {
        var text = new StringBuilder(error.toString());
        for (var cause = error.getCause(); cause != null; cause = cause.getCause()) {
            text.append(" | caused by ").append(cause);
        }
        for (var frame : error.getStackTrace()) {
            if (frame.getClassName().matches("interop\\.(Scenarios|Access|Push)")) {
                text.append(" | at ").append(frame);
            }
        }
        var line = text.toString().replaceAll("\\R", " | ");
        return line.substring(0, Math.min(line.length(), 1500));
    }
}
