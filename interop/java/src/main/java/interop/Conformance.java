package interop;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.a2aproject.sdk.server.agentexecution.AgentExecutor;
import org.a2aproject.sdk.server.agentexecution.RequestContext;
import org.a2aproject.sdk.server.events.MainEventBusProcessorCallback;
import org.a2aproject.sdk.server.tasks.AgentEmitter;
import org.a2aproject.sdk.spec.ContentTypeNotSupportedError;
import org.a2aproject.sdk.spec.DataPart;
import org.a2aproject.sdk.spec.Event;
import org.a2aproject.sdk.spec.FilePart;
import org.a2aproject.sdk.spec.FileWithBytes;
import org.a2aproject.sdk.spec.FileWithUri;
import org.a2aproject.sdk.spec.InvalidAgentResponseError;
import org.a2aproject.sdk.spec.Message;
import org.a2aproject.sdk.spec.Part;
import org.a2aproject.sdk.spec.TaskState;
import org.a2aproject.sdk.spec.TaskStatus;
import org.a2aproject.sdk.spec.TaskStatusUpdateEvent;
import org.a2aproject.sdk.spec.TextPart;

/**
 * Obeys the first word of a message's text.
 *
 * <p>A turn ends when the SDK has passed on its last event: it looks at the task when the turn has ended,
 * and else finds it now and then as it was before (a2a-java, pull request 991 and issue 2049 of A2A).
 */
final class Conformance implements AgentExecutor, MainEventBusProcessorCallback {
    private static final int SECONDS = 10;

    private final long pace;
    private final boolean broken;
    private final Set<String> canceled = ConcurrentHashMap.newKeySet();
    private final Map<String, CountDownLatch> turns = new ConcurrentHashMap<>();

    /** {@code pace}: milliseconds between two chunks; {@code broken}: answers nothing as it should. */
    Conformance(long pace, boolean broken) {
        this.pace = pace;
        this.broken = broken;
    }

    @Override
    public void execute(RequestContext context, AgentEmitter emitter) {
        if (broken) {
            throw new InvalidAgentResponseError(null, "asked to", null);
        }
        if (context.getMessage().parts().stream().anyMatch(Conformance::isUnsupported)) {
            throw new ContentTypeNotSupportedError(null, "only text and data", null);
        }
        var text = context.getUserInput();
        var words = text.strip().split("\\s+");
        var isNew = context.getTask() == null;
        if (isNew && words[0].equals("message")) {
            emitter.sendMessage(Message.builder().role(Message.Role.ROLE_AGENT).contextId(context.getContextId())
                    .parts(new TextPart("echo: " + text)).build());
            return;
        }
        if (isNew) {
            emitter.addTask(emitter.taskBuilder().status(new TaskStatus(TaskState.TASK_STATE_SUBMITTED))
                    .history(context.getMessage()).build());
        }
        var rest = new CountDownLatch(1);
        turns.put(context.getTaskId(), rest);
        obey(words, text, emitter);
        try {
            rest.await(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Every turn comes to rest in a state that is final or waits for the caller. */
    @Override
    public void onEventProcessed(String taskId, Event event) {
        var turn = turns.get(taskId);
        if (turn != null && event instanceof TaskStatusUpdateEvent update
                && (update.status().state().isFinal() || update.status().state().isInterrupted())) {
            turn.countDown();
        }
    }

    @Override
    public void onTaskFinalized(String taskId) {
        turns.remove(taskId);
    }

    private void obey(String[] words, String text, AgentEmitter emitter) {
        switch (words[0]) {
            case "ask" -> emitter.requiresInput(said(emitter, "What else should I know?"));
            case "auth" -> emitter.requiresAuth(said(emitter, "Who allows this?"));
            case "reject" -> emitter.reject(said(emitter, "I would rather not."));
            case "fail" -> {
                emitter.startWork();
                emitter.fail(said(emitter, "It did not work out."));
            }
            case "panic" -> {
                emitter.startWork();
                // At once, it is a matter of luck whether the caller hears of it.
                pause();
                throw new IllegalStateException("asked to");
            }
            case "slow" -> {
                emitter.startWork();
                if (chunks(emitter, 3)) {
                    emitter.complete(said(emitter, "slow done"));
                }
            }
            case "forever" -> {
                emitter.startWork();
                chunks(emitter, Integer.MAX_VALUE);
            }
            case "kinds" -> {
                emitter.addArtifact(kinds(), "kinds", null, null);
                emitter.complete();
            }
            default -> {
                emitter.startWork();
                if (words[0].equals("stream") && words.length > 1 && words[1].matches("\\d+")) {
                    stream(emitter, Integer.parseInt(words[1]));
                    emitter.complete();
                } else {
                    emitter.addArtifact(List.of(new TextPart("echo: " + text)), "echo", null, null);
                    emitter.complete(said(emitter, "echo: " + text));
                }
            }
        }
    }

    @Override
    public void cancel(RequestContext context, AgentEmitter emitter) {
        canceled.add(context.getTaskId());
        emitter.cancel();
    }

    private static boolean isUnsupported(Part<?> part) {
        return part instanceof FilePart file && file.file() instanceof FileWithBytes bytes
                && bytes.mimeType().equals("application/x-unsupported");
    }

    /** Whether all chunks came; a task that is canceled has no more. */
    private boolean chunks(AgentEmitter emitter, int count) {
        for (int number = 1; number <= count; number++) {
            pause();
            if (canceled.remove(emitter.getTaskId())) {
                return false;
            }
            var part = new TextPart("chunk " + number + ";");
            emitter.addArtifact(List.of(part), "slow", null, null, number > 1, number == count);
        }
        return true;
    }

    private void pause() {
        try {
            Thread.sleep(pace);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void stream(AgentEmitter emitter, int count) {
        for (int number = 1; number <= count; number++) {
            var part = new TextPart("chunk %08d abcde".formatted(number));
            emitter.addArtifact(List.of(part), "stream", null, null, number > 1, number == count);
        }
    }

    private static Message said(AgentEmitter emitter, String text) {
        return emitter.newAgentMessage(List.of(new TextPart(text)), null);
    }

    private static List<Part<?>> kinds() {
        var bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        var raw = Base64.getEncoder().encodeToString(bytes);
        return List.of(
                new TextPart("plain text"),
                new FilePart(new FileWithBytes("application/octet-stream", "bytes.bin", raw)),
                new FilePart(new FileWithUri("image/png", null, "https://example.com/a%20b.png")),
                DataPart.fromJson("{\"n\": 1.5, \"s\": \"ü\", \"l\": [true, null]}"));
    }
}
