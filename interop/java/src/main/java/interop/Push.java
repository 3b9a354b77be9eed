package interop;

import static interop.Check.equal;
import static interop.Check.holds;
import static interop.Peer.message;
import static interop.Scenarios.text;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpServer;
import org.a2aproject.sdk.client.Client;
import org.a2aproject.sdk.grpc.StreamResponse;
import org.a2aproject.sdk.spec.DeleteTaskPushNotificationConfigParams;
import org.a2aproject.sdk.spec.GetTaskPushNotificationConfigParams;
import org.a2aproject.sdk.spec.ListTaskPushNotificationConfigsParams;
import org.a2aproject.sdk.spec.TaskPushNotificationConfig;

/** Webhooks. */
final class Push {
    private static final String HOOK = "http://127.0.0.1:9/hook";

    private Push() {}

    static void configs(Peer peer) throws Exception {
        var task = text(peer.task("ask"), "id");
        var client = peer.client();
        var context = peer.context();
        var made = client.createTaskPushNotificationConfiguration(config(task, "hook"), context);
        equal(List.of(made.id(), made.taskId(), made.url()), List.of("hook", task, HOOK), "the new configuration");
        client.createTaskPushNotificationConfiguration(config(task, "other"), context);
        var wanted = new GetTaskPushNotificationConfigParams(task, "hook", null);
        equal(client.getTaskPushNotificationConfiguration(wanted, context).url(), made.url(), "the configuration");
        equal(ids(client, peer, task), List.of("hook", "other"), "configurations");
        var gone = new DeleteTaskPushNotificationConfigParams(task, "hook", null);
        client.deleteTaskPushNotificationConfigurations(gone, context);
        client.deleteTaskPushNotificationConfigurations(gone, context);
        equal(ids(client, peer, task), List.of("other"), "configurations after the delete");
    }

    static void delivery(Peer peer) throws Exception {
        record Notification(String token, JsonObject event) {}

        var seen = new LinkedBlockingQueue<Notification>();
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/hook", exchange -> {
            try (exchange) {
                var token = exchange.getRequestHeaders().getFirst("X-A2A-Notification-Token");
                // The way through the types of the client.
                var event = Peer.proto(Json.parse(Http.body(exchange)), StreamResponse.newBuilder());
                seen.add(new Notification(token, Peer.json(event.build())));
                exchange.sendResponseHeaders(200, -1);
            }
        });
        server.start();
        try {
            var url = "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
            var request = message("slow");
            var config = Json.object("id", "hook", "url", url, "token", "secret");
            request.add("configuration", Json.object("taskPushNotificationConfig", config));
            peer.task(request);
            var events = new ArrayList<JsonObject>();
            do {
                var notification = seen.take();
                equal(notification.token(), "secret", "token");
                events.add(notification.event());
            } while (!Scenarios.kindOf(events.get(events.size() - 1)).equals("statusUpdate COMPLETED"));
            equal(Scenarios.chunksOf(events), "chunk 1;chunk 2;chunk 3;", "chunks");
        } finally {
            server.stop(0);
        }
    }

    private static List<String> ids(Client client, Peer peer, String task) throws Exception {
        var page = client.listTaskPushNotificationConfigurations(
                new ListTaskPushNotificationConfigsParams(task, 0, "", null), peer.context());
        holds(page.nextPageToken() == null || page.nextPageToken().isEmpty(), "one page");
        return page.configs().stream().map(TaskPushNotificationConfig::id).sorted().toList();
    }

    private static TaskPushNotificationConfig config(String task, String id) {
        return TaskPushNotificationConfig.builder().taskId(task).id(id).url(HOOK).token("secret").build();
    }
}
