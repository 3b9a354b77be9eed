package interop;

import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;

import com.google.gson.JsonObject;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.sun.net.httpserver.HttpServer;
import jakarta.enterprise.inject.Instance;
import org.a2aproject.sdk.grpc.utils.ProtoUtils;
import org.a2aproject.sdk.server.AgentCardCacheMetadata;
import org.a2aproject.sdk.server.AgentCardValidator;
import org.a2aproject.sdk.server.config.A2AConfigProvider;
import org.a2aproject.sdk.server.events.InMemoryQueueManager;
import org.a2aproject.sdk.server.events.MainEventBus;
import org.a2aproject.sdk.server.events.MainEventBusProcessor;
import org.a2aproject.sdk.server.requesthandlers.AuthorizationRequestHandlerDecorator;
import org.a2aproject.sdk.server.requesthandlers.DefaultRequestHandler;
import org.a2aproject.sdk.server.tasks.BasePushNotificationSender;
import org.a2aproject.sdk.server.tasks.InMemoryPushNotificationConfigStore;
import org.a2aproject.sdk.server.tasks.InMemoryTaskStore;
import org.a2aproject.sdk.spec.AgentCard;
import org.a2aproject.sdk.transport.jsonrpc.handler.JSONRPCHandler;
import org.a2aproject.sdk.transport.rest.handler.RestHandler;

/**
 * An agent on the official Java SDK, which does what the first word of a message's text says.
 *
 * <pre>
 * interop.Server [--port N] [--grpc-port N] [--pace SECONDS] [--bare] [--require-extension URI]
 *                [--auth none|bearer:TOKEN=NAME,...] [--broken]
 * </pre>
 *
 * It follows the commands and options of our {@code conformance} example as far as the SDK lets it.
 * Prints {@code READY http://127.0.0.1:PORT} when it serves; a port of 0 is any free one. With
 * {@code --grpc-port} it serves gRPC as well, on a port of its own. With {@code --broken} it declares
 * an extended card that it has not, and answers nothing as it should.
 */
public final class Server {

    public static void main(String[] arguments) throws Exception {
        // Without it, each answer waits for the acknowledgement of its head.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        // The SDK looks for the transports of a runtime; here they are of our own making.
        System.setProperty(AgentCardValidator.SKIP_PROPERTY, "true");
        var options = Options.of(arguments,
                Set.of("port", "grpc-port", "pace", "require-extension", "auth"), Set.of("bare", "broken"));
        var tokens = Options.tokens(options.get("auth", "none"));

        var http = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(options.get("port", "0"))), 0);
        var base = "http://127.0.0.1:" + http.getAddress().getPort();
        var threads = Executors.newCachedThreadPool();
        http.setExecutor(threads);

        var card = card(options, tokens, base, false);
        var extended = instance(tokens.isEmpty() ? null : card(options, tokens, base, true));
        var pace = Math.round(1000 * Double.parseDouble(options.get("pace", "0.4")));
        var agent = new Conformance(pace, options.has("broken"));
        var owners = new Owners();
        var tasks = new InMemoryTaskStore(owners);
        var webhooks = new InMemoryPushNotificationConfigStore();
        var bus = new MainEventBus();
        var queues = new InMemoryQueueManager(tasks, bus);
        var processor = new MainEventBusProcessor(bus, tasks, new BasePushNotificationSender(webhooks), queues);
        // Notifications go out in the order of the events only when no two do so at once.
        processor.setPushNotificationExecutor(Executors.newSingleThreadExecutor());
        processor.setCallback(agent);
        threads.execute(processor);
        var inner = DefaultRequestHandler.builder()
                .agentExecutor(agent)
                .taskStore(tasks)
                .queueManager(queues)
                .pushConfigStore(webhooks)
                .mainEventBusProcessor(processor)
                .executor(threads)
                .eventConsumerExecutor(threads)
                .authorizationProvider(owners)
                .build();
        patient(inner);
        var handler = new AuthorizationRequestHandlerDecorator(inner, owners);

        var caching = new AgentCardCacheMetadata(card, new NoConfiguration());
        var rest = new RestHandler(card, extended, caching, handler, threads);
        new Http(new JSONRPCHandler(card, extended, handler, threads), rest, tokens).serve(http);
        if (options.has("grpc-port")) {
            Grpc.serve(Integer.parseInt(options.get("grpc-port", "")), card, extended, handler, threads, tokens);
        }
        http.start();
        System.out.println("READY " + base);
    }

    /** A few seconds, which only a container of beans configures, are not enough on a busy machine. */
    private static void patient(DefaultRequestHandler handler) throws ReflectiveOperationException {
        for (var name : new String[] {"agentCompletionTimeoutSeconds", "consumptionCompletionTimeoutSeconds"}) {
            var field = DefaultRequestHandler.class.getDeclaredField(name);
            field.setAccessible(true);
            field.setInt(handler, 30);
        }
    }

    private static AgentCard card(Options options, Map<String, String> tokens, String base, boolean extended)
            throws InvalidProtocolBufferException {
        var interfaces = Json.array(offer(base + "/jsonrpc", "JSONRPC"), offer(base + "/rest", "HTTP+JSON"));
        if (options.has("grpc-port")) {
            interfaces.add(offer("127.0.0.1:" + options.get("grpc-port", ""), "GRPC"));
        }
        var capabilities = Json.object(
                "streaming", !options.has("bare"),
                "pushNotifications", !options.has("bare"),
                "extendedAgentCard", (!tokens.isEmpty() || options.has("broken")) && !options.has("bare"));
        if (options.has("require-extension")) {
            var uri = options.get("require-extension", "");
            capabilities.add("extensions", Json.array(Json.object("uri", uri, "required", true)));
        }
        var modes = Json.array("text/plain", "application/json");
        var skills = Json.array(skill("echo", "Echo"));
        if (extended) {
            skills.add(skill("hidden", "Hidden"));
        }
        var card = Json.object(
                "name", "Conformance (Java)",
                "description", "Does what the message asks it to",
                "version", "1.0.0",
                "supportedInterfaces", interfaces,
                "capabilities", capabilities,
                "defaultInputModes", modes,
                "defaultOutputModes", modes,
                "skills", skills);
        if (!tokens.isEmpty()) {
            var scheme = Json.object("httpAuthSecurityScheme", Json.object("scheme", "Bearer"));
            card.add("securitySchemes", Json.object("bearer", scheme));
            card.add("securityRequirements", Json.array(Json.object("schemes", Json.object("bearer", Json.object()))));
        }
        var builder = org.a2aproject.sdk.grpc.AgentCard.newBuilder();
        JsonFormat.parser().merge(card.toString(), builder);
        return ProtoUtils.FromProto.agentCard(builder);
    }

    private static JsonObject offer(String url, String binding) {
        return Json.object("url", url, "protocolBinding", binding, "protocolVersion", "1.0");
    }

    private static JsonObject skill(String id, String name) {
        return Json.object("id", id, "name", name, "description", "Repeats what it hears", "tags", Json.array(id));
    }

    /** A value as a container of beans would hand it out. */
    @SuppressWarnings("unchecked")
    private static Instance<AgentCard> instance(AgentCard card) {
        return (Instance<AgentCard>) Proxy.newProxyInstance(
                Server.class.getClassLoader(), new Class<?>[] {Instance.class}, (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "isResolvable" -> card != null;
                            case "isUnsatisfied" -> card == null;
                            case "get" -> card;
                            default -> throw new UnsupportedOperationException(method.getName());
                        });
    }

    /** The defaults of the SDK hold. */
    private record NoConfiguration() implements A2AConfigProvider {
        @Override
        public String getValue(String name) {
            throw new IllegalArgumentException(name);
        }

        @Override
        public Optional<String> getOptionalValue(String name) {
            return Optional.empty();
        }
    }
}
