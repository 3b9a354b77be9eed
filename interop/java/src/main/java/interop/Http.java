package interop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiFunction;

import com.google.gson.JsonParser;
import com.google.gson.JsonSyntaxException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import org.a2aproject.sdk.common.A2AHeaders;
import org.a2aproject.sdk.grpc.utils.JSONRPCUtils;
import org.a2aproject.sdk.jsonrpc.common.json.IdJsonMappingException;
import org.a2aproject.sdk.jsonrpc.common.json.InvalidParamsJsonMappingException;
import org.a2aproject.sdk.jsonrpc.common.json.JsonMappingException;
import org.a2aproject.sdk.jsonrpc.common.json.JsonProcessingException;
import org.a2aproject.sdk.jsonrpc.common.json.MethodNotFoundJsonMappingException;
import org.a2aproject.sdk.jsonrpc.common.wrappers.A2AErrorResponse;
import org.a2aproject.sdk.jsonrpc.common.wrappers.A2AResponse;
import org.a2aproject.sdk.jsonrpc.common.wrappers.CancelTaskRequest;
import org.a2aproject.sdk.jsonrpc.common.wrappers.CreateTaskPushNotificationConfigRequest;
import org.a2aproject.sdk.jsonrpc.common.wrappers.DeleteTaskPushNotificationConfigRequest;
import org.a2aproject.sdk.jsonrpc.common.wrappers.GetExtendedAgentCardRequest;
import org.a2aproject.sdk.jsonrpc.common.wrappers.GetTaskPushNotificationConfigRequest;
import org.a2aproject.sdk.jsonrpc.common.wrappers.GetTaskRequest;
import org.a2aproject.sdk.jsonrpc.common.wrappers.ListTaskPushNotificationConfigsRequest;
import org.a2aproject.sdk.jsonrpc.common.wrappers.ListTasksRequest;
import org.a2aproject.sdk.jsonrpc.common.wrappers.SendMessageRequest;
import org.a2aproject.sdk.jsonrpc.common.wrappers.SendStreamingMessageRequest;
import org.a2aproject.sdk.jsonrpc.common.wrappers.SubscribeToTaskRequest;
import org.a2aproject.sdk.server.ServerCallContext;
import org.a2aproject.sdk.server.auth.AuthenticatedUser;
import org.a2aproject.sdk.server.auth.TaskOperation;
import org.a2aproject.sdk.server.auth.UnauthenticatedUser;
import org.a2aproject.sdk.server.extensions.A2AExtensions;
import org.a2aproject.sdk.server.util.sse.SseFormatter;
import org.a2aproject.sdk.spec.A2AError;
import org.a2aproject.sdk.spec.InternalError;
import org.a2aproject.sdk.spec.InvalidParamsError;
import org.a2aproject.sdk.spec.InvalidRequestError;
import org.a2aproject.sdk.spec.JSONParseError;
import org.a2aproject.sdk.spec.MethodNotFoundError;
import org.a2aproject.sdk.spec.UnsupportedOperationError;
import org.a2aproject.sdk.transport.jsonrpc.handler.JSONRPCHandler;
import org.a2aproject.sdk.transport.rest.handler.RestHandler;
import org.a2aproject.sdk.transport.rest.handler.RestHandler.HTTPRestResponse;
import org.a2aproject.sdk.transport.rest.handler.RestHandler.HTTPRestStreamingResponse;

/** The card, JSON-RPC and HTTP+JSON; what the SDK's own servers do with errors is done here. */
final class Http {
    private static final Runnable END = () -> {};

    private final JSONRPCHandler jsonrpc;
    private final RestHandler rest;
    private final Map<String, String> tokens;

    Http(JSONRPCHandler jsonrpc, RestHandler rest, Map<String, String> tokens) {
        this.jsonrpc = jsonrpc;
        this.rest = rest;
        this.tokens = tokens;
    }

    void serve(HttpServer server) {
        server.createContext("/.well-known/agent-card.json", safe(exchange -> answer(exchange, rest.getAgentCard())));
        server.createContext("/jsonrpc", guarded(this::jsonrpc));
        var routes = new Routes(rest);
        server.createContext("/rest", guarded(exchange -> {
            var path = exchange.getRequestURI().getPath().substring("/rest".length());
            var tenant = Routes.tenant(path);
            var context = context(exchange, tenant);
            var response = routes.call(exchange, path, tenant, context);
            if (response instanceof HTTPRestStreamingResponse stream) {
                stream(exchange, context, stream.getPublisher(), SseFormatter::formatJsonAsSSE);
            } else {
                answer(exchange, response);
            }
        }));
    }

    private void jsonrpc(HttpExchange exchange) throws IOException {
        var body = body(exchange);
        var context = context(exchange, tenant(body));
        Object answer;
        try {
            answer = dispatch(body, context);
        } catch (A2AError e) {
            answer = new A2AErrorResponse(e);
        } catch (InvalidParamsJsonMappingException e) {
            answer = new A2AErrorResponse(e.getId(), new InvalidParamsError(null, e.getMessage(), null));
        } catch (MethodNotFoundJsonMappingException e) {
            answer = new A2AErrorResponse(e.getId(), new MethodNotFoundError(null, e.getMessage(), null));
        } catch (IdJsonMappingException e) {
            answer = new A2AErrorResponse(e.getId(), new InvalidRequestError(null, e.getMessage(), null));
        } catch (JsonMappingException e) {
            answer = new A2AErrorResponse(new InvalidRequestError(null, e.getMessage(), null));
        } catch (JsonSyntaxException | JsonProcessingException e) {
            answer = new A2AErrorResponse(new JSONParseError(e.getMessage()));
        } catch (RuntimeException e) {
            answer = new A2AErrorResponse(new InternalError(String.valueOf(e.getMessage())));
        }
        if (answer instanceof A2AResponse<?> response) {
            // The SDK writes answers in this shape alone.
            var event = SseFormatter.formatResponseAsSSE(response, 0);
            var json = event.substring("data: ".length(), event.lastIndexOf("\nid: "));
            answer(exchange, new HTTPRestResponse(200, "application/json", json));
        } else {
            @SuppressWarnings("unchecked")
            var events = (Flow.Publisher<A2AResponse<?>>) answer;
            stream(exchange, context, events, SseFormatter::formatResponseAsSSE);
        }
    }

    /** An answer, or the publisher of some. */
    private Object dispatch(String body, ServerCallContext context) throws JsonProcessingException {
        var request = JSONRPCUtils.parseRequestBody(body, "");
        if (request instanceof SendMessageRequest send) {
            return jsonrpc.onMessageSend(send, context);
        } else if (request instanceof SendStreamingMessageRequest send) {
            var task = send.getParams().message().taskId();
            jsonrpc.authorizeTaskAccess(task, context, TaskOperation.MESSAGE_SEND_STREAM);
            return jsonrpc.onMessageSendStream(send, context);
        } else if (request instanceof SubscribeToTaskRequest subscribe) {
            jsonrpc.authorizeTaskAccess(subscribe.getParams().id(), context, TaskOperation.SUBSCRIBE_TO_TASK);
            return jsonrpc.onSubscribeToTask(subscribe, context);
        } else if (request instanceof GetTaskRequest get) {
            return jsonrpc.onGetTask(get, context);
        } else if (request instanceof ListTasksRequest list) {
            return jsonrpc.onListTasks(list, context);
        } else if (request instanceof CancelTaskRequest cancel) {
            return jsonrpc.onCancelTask(cancel, context);
        } else if (request instanceof CreateTaskPushNotificationConfigRequest create) {
            return jsonrpc.setPushNotificationConfig(create, context);
        } else if (request instanceof GetTaskPushNotificationConfigRequest get) {
            return jsonrpc.getPushNotificationConfig(get, context);
        } else if (request instanceof ListTaskPushNotificationConfigsRequest list) {
            return jsonrpc.listPushNotificationConfigs(list, context);
        } else if (request instanceof DeleteTaskPushNotificationConfigRequest delete) {
            return jsonrpc.deletePushNotificationConfig(delete, context);
        } else if (request instanceof GetExtendedAgentCardRequest get) {
            return jsonrpc.onGetExtendedCardRequest(get, context);
        }
        return new A2AErrorResponse(request.getId(), new UnsupportedOperationError());
    }

    private static String tenant(String body) {
        try {
            var tenant = JsonParser.parseString(body).getAsJsonObject().getAsJsonObject("params").get("tenant");
            return tenant == null ? "" : tenant.getAsString();
        } catch (RuntimeException e) {
            // The SDK says what is wrong with it.
            return "";
        }
    }

    private ServerCallContext context(HttpExchange exchange, String tenant) {
        var headers = exchange.getRequestHeaders();
        var name = name(exchange);
        var user = name == null ? UnauthenticatedUser.INSTANCE : new AuthenticatedUser(name);
        var extensions = headers.getOrDefault(A2AHeaders.A2A_EXTENSIONS, List.of());
        var state = new HashMap<String, Object>(Map.of(Owners.TENANT, tenant));
        return new ServerCallContext(user, state, A2AExtensions.getRequestedExtensions(extensions),
                headers.getFirst(A2AHeaders.A2A_VERSION));
    }

    private String name(HttpExchange exchange) {
        return Options.name(tokens, exchange.getRequestHeaders().getFirst("Authorization"));
    }

    /** Lets only those with a token through, if there are tokens. */
    private HttpHandler guarded(HttpHandler inner) {
        return safe(exchange -> {
            if (tokens.isEmpty() || name(exchange) != null) {
                inner.handle(exchange);
                return;
            }
            var error = Json.object("code", 401, "status", "UNAUTHENTICATED", "message", "who are you?");
            var body = Json.object("error", error).toString();
            answer(exchange, new HTTPRestResponse(401, "application/json", body, Map.of("WWW-Authenticate", "Bearer")));
        });
    }

    private static HttpHandler safe(HttpHandler inner) {
        return exchange -> {
            try (exchange) {
                inner.handle(exchange);
            } catch (RuntimeException e) {
                e.printStackTrace();
                throw e;
            }
        };
    }

    static String body(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, HTTPRestResponse response) throws IOException {
        var bytes = response.getBody().getBytes(StandardCharsets.UTF_8);
        response.getHeaders().forEach(exchange.getResponseHeaders()::set);
        exchange.getResponseHeaders().set("Content-Type", response.getContentType());
        exchange.sendResponseHeaders(response.getStatusCode(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** Writes events as they come, until the last one or the reader's end. */
    private static <T> void stream(HttpExchange exchange, ServerCallContext context, Flow.Publisher<T> events,
            BiFunction<T, Long, String> format) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.getResponseHeaders().set("Cache-Control", "no-cache");
        exchange.sendResponseHeaders(200, 0);
        var out = exchange.getResponseBody();
        out.write(": SSE stream started\n\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
        var queue = new LinkedBlockingQueue<Object>();
        var subscription = new Flow.Subscription[1];
        events.subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription given) {
                subscription[0] = given;
                given.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(T event) {
                queue.add(event);
            }

            @Override
            public void onError(Throwable error) {
                error.printStackTrace();
                queue.add(END);
            }

            @Override
            public void onComplete() {
                queue.add(END);
            }
        });
        try {
            long number = 0;
            for (var event = queue.take(); event != END; event = queue.take()) {
                @SuppressWarnings("unchecked")
                var text = format.apply((T) event, number++);
                out.write(text.getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (IOException e) {
            context.invokeEventConsumerCancelCallback();
            subscription[0].cancel();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
