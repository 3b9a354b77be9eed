package interop;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.net.httpserver.HttpExchange;
import org.a2aproject.sdk.server.ServerCallContext;
import org.a2aproject.sdk.spec.ContentTypeNotSupportedError;
import org.a2aproject.sdk.spec.InvalidParamsError;
import org.a2aproject.sdk.transport.rest.handler.RestHandler;
import org.a2aproject.sdk.transport.rest.handler.RestHandler.HTTPRestResponse;

/** The paths of HTTP+JSON, each of which may begin with a tenant. */
final class Routes {
    private static final Pattern PATH = Pattern.compile("(?:/(?<tenant>[^/:]+))??(?<rest>"
            + "/message:(?:send|stream)|/extendedAgentCard|/tasks"
            + "|/tasks/(?<task>[^/:]+)(?<verb>:cancel|:subscribe|/pushNotificationConfigs/?)?"
            + "|/tasks/(?<owner>[^/:]+)/pushNotificationConfigs/(?<config>[^/]+))");

    private final RestHandler handler;

    Routes(RestHandler handler) {
        this.handler = handler;
    }

    /** The tenant of a path, or nothing. */
    static String tenant(String path) {
        var match = PATH.matcher(path);
        return match.matches() && match.group("tenant") != null ? match.group("tenant") : "";
    }

    HTTPRestResponse call(HttpExchange exchange, String path, String tenant, ServerCallContext context)
            throws IOException {
        var match = PATH.matcher(path);
        if (!match.matches()) {
            return new HTTPRestResponse(404, "text/plain", "no such path");
        }
        var body = Http.body(exchange);
        var type = exchange.getRequestHeaders().getFirst("Content-Type");
        if (!body.isBlank() && (type == null || !type.strip().startsWith("application/json"))) {
            return handler.createErrorResponse(new ContentTypeNotSupportedError(null, null, null));
        }
        try {
            return call(exchange.getRequestMethod(), match, query(exchange), body, tenant, context);
        } catch (NumberFormatException e) {
            return handler.createErrorResponse(new InvalidParamsError("Invalid number format in parameters"));
        }
    }

    private HTTPRestResponse call(String method, Matcher match, Map<String, String> query, String body, String tenant,
            ServerCallContext context) {
        var task = match.group("task");
        var verb = match.group("verb") == null ? "" : match.group("verb").replaceFirst("/$", "");
        var owner = match.group("owner");
        var config = match.group("config");
        if (owner != null) {
            return switch (method) {
                case "GET" -> handler.getTaskPushNotificationConfiguration(context, tenant, owner, config);
                case "DELETE" -> handler.deleteTaskPushNotificationConfiguration(context, tenant, owner, config);
                default -> wrongMethod();
            };
        } else if (task != null) {
            return switch (method + verb) {
                case "GET" -> handler.getTask(context, tenant, task, number(query, "historyLength"));
                case "POST:cancel" -> handler.cancelTask(context, tenant, body, task);
                case "POST:subscribe" -> handler.subscribeToTask(context, tenant, task);
                case "POST/pushNotificationConfigs" ->
                    handler.createTaskPushNotificationConfiguration(context, tenant, body, task);
                case "GET/pushNotificationConfigs" -> {
                    var size = Integer.parseInt(query.getOrDefault("pageSize", "0"));
                    var token = query.getOrDefault("pageToken", "");
                    yield handler.listTaskPushNotificationConfigurations(context, tenant, task, size, token);
                }
                default -> wrongMethod();
            };
        }
        return switch (method + match.group("rest")) {
            case "POST/message:send" -> handler.sendMessage(context, tenant, body);
            case "POST/message:stream" -> handler.sendStreamingMessage(context, tenant, body);
            case "GET/extendedAgentCard" -> handler.getExtendedAgentCard(context, tenant);
            case "GET/tasks" -> handler.listTasks(context, tenant, query.get("contextId"), query.get("status"),
                    number(query, "pageSize"), query.get("pageToken"), number(query, "historyLength"),
                    query.get("statusTimestampAfter"),
                    query.containsKey("includeArtifacts") ? Boolean.valueOf(query.get("includeArtifacts")) : null);
            default -> wrongMethod();
        };
    }

    private static HTTPRestResponse wrongMethod() {
        return new HTTPRestResponse(405, "text/plain", "no such method");
    }

    private static Map<String, String> query(HttpExchange exchange) {
        var query = new HashMap<String, String>();
        var raw = exchange.getRequestURI().getRawQuery();
        for (var pair : raw == null || raw.isEmpty() ? new String[0] : raw.split("&")) {
            var at = pair.indexOf('=');
            var value = at < 0 ? "" : URLDecoder.decode(pair.substring(at + 1), StandardCharsets.UTF_8);
            query.put(at < 0 ? pair : pair.substring(0, at), value);
        }
        return query;
    }

    private static Integer number(Map<String, String> query, String name) {
        var value = query.get(name);
        return value == null || value.isEmpty() ? null : Integer.valueOf(value);
    }
}
