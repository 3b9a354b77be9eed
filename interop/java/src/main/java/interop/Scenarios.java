package interop;

import static interop.Check.equal;
import static interop.Check.holds;
import static interop.Peer.message;
import static interop.Peer.refused;
import static interop.Peer.state;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import org.a2aproject.sdk.spec.A2AClientHTTPError;
import org.a2aproject.sdk.spec.ContentTypeNotSupportedError;
import org.a2aproject.sdk.spec.InvalidParamsError;
import org.a2aproject.sdk.spec.TaskNotCancelableError;
import org.a2aproject.sdk.spec.TaskNotFoundError;
import org.a2aproject.sdk.spec.UnsupportedOperationError;
import org.a2aproject.sdk.spec.VersionNotSupportedError;

/** What the client must get from an agent that is open to everybody. */
final class Scenarios {
    private static final String SLOW = "chunk 1;chunk 2;chunk 3;";
    private static final JsonArray KINDS = Json.array(
            Json.object("text", "plain text"),
            Json.object("raw", Base64.getEncoder().encodeToString(bytes()),
                    "mediaType", "application/octet-stream", "filename", "bytes.bin"),
            Json.object("url", "https://example.com/a%20b.png", "mediaType", "image/png"),
            Json.parse("{\"data\": {\"n\": 1.5, \"s\": \"ü\", \"l\": [true, null]}}"));

    interface Scenario {
        void run(Peer peer) throws Exception;
    }

    private Scenarios() {}

    static Map<String, Scenario> all() {
        var all = new LinkedHashMap<String, Scenario>();
        all.put("card", Scenarios::card);
        all.put("send_blocking", Scenarios::sendBlocking);
        all.put("send_immediate", Scenarios::sendImmediate);
        all.put("stream", Scenarios::stream);
        all.put("stream_burst", Scenarios::streamBurst);
        all.put("subscribe", Scenarios::subscribe);
        all.put("history", Scenarios::history);
        all.put("list", Scenarios::list);
        all.put("cancel", Scenarios::cancel);
        all.put("cancel_twice", Scenarios::cancelTwice);
        all.put("follow_up", Scenarios::followUp);
        all.put("auth_required", Scenarios::authRequired);
        all.put("direct_message", Scenarios::directMessage);
        all.put("kinds", Scenarios::kinds);
        all.put("null_data", Scenarios::nullData);
        all.put("large", Scenarios::large);
        all.put("states", Scenarios::states);
        all.put("errors", Scenarios::errors);
        all.put("content_type", Scenarios::contentType);
        all.put("invalid", Scenarios::invalid);
        all.put("tenant", Scenarios::tenant);
        all.put("version", Scenarios::version);
        all.put("push_configs", Push::configs);
        all.put("push_delivery", Push::delivery);
        return all;
    }

    private static void card(Peer peer) throws Exception {
        var card = peer.card();
        equal(texts(card.getAsJsonArray("skills"), "id"), List.of("echo"), "skills");
        var interfaces = objects(card.getAsJsonArray("supportedInterfaces")).stream()
                .map(i -> text(i, "protocolBinding") + " " + text(i, "protocolVersion")).limit(2).toList();
        equal(interfaces, List.of("JSONRPC 1.0", "HTTP+JSON 1.0"), "interfaces");
    }

    private static void sendBlocking(Peer peer) throws Exception {
        var id = UUID.randomUUID().toString();
        var metadata = Json.parse("{\"k\": [1, {\"n\": \"x\"}]}");
        var task = peer.task(message("hello wörld ✓", "messageId", id, "metadata", metadata));
        equal(state(task), "COMPLETED", "state");
        equal(textOf(artifact(task, "echo")), "echo: hello wörld ✓", "artifact");
        var said = task.getAsJsonObject("status").getAsJsonObject("message");
        equal(textOf(said.getAsJsonArray("parts")), "echo: hello wörld ✓", "status message");
        equal(text(said, "role"), "ROLE_AGENT", "role of the status message");
        var parts = Json.array(Json.object("text", "hello wörld ✓"));
        var kept = Json.object("messageId", id, "role", "ROLE_USER", "parts", parts, "metadata", metadata,
                "taskId", text(task, "id"), "contextId", text(task, "contextId"));
        equal(plain(task.getAsJsonArray("history")), Json.array(kept), "history");
        equal(peer.get(text(task, "id")), task, "the task afterwards");
    }

    private static void sendImmediate(Peer peer) throws Exception {
        var request = message("slow");
        request.add("configuration", Json.object("returnImmediately", true));
        var task = peer.task(request);
        holds(List.of("SUBMITTED", "WORKING").contains(state(task)), "not done: " + state(task));
        equal(textOf(artifact(peer.until(text(task, "id"), "COMPLETED"), "slow")), SLOW, "artifact");
    }

    private static void stream(Peer peer) throws Exception {
        var stream = peer.stream("slow");
        var events = stream.all();
        var wanted = List.of(
                "task SUBMITTED", "statusUpdate WORKING", "artifact", "append", "append", "statusUpdate COMPLETED");
        equal(steady(events), wanted, "events");
        equal(chunksOf(events), SLOW, "chunks");
        var last = events.get(4).getAsJsonObject("artifactUpdate");
        holds(last.has("lastChunk") && last.get("lastChunk").getAsBoolean(), "the last chunk is marked");
        var task = peer.get(text(events.get(0).getAsJsonObject("task"), "id"));
        equal(textOf(artifact(task, "slow")), SLOW, "artifact");
        equal(textOf(artifact(stream.folded(), "slow")), SLOW, "artifact as the client has put it together");
        equal(state(stream.folded()), "COMPLETED", "state as the client has it");
    }

    private static void streamBurst(Peer peer) throws Exception {
        var events = peer.stream("stream 500").all();
        steady(events);
        var whole = IntStream.rangeClosed(1, 500).mapToObj("chunk %08d abcde"::formatted).collect(Collectors.joining());
        equal(chunksOf(events), whole, "chunks");
        equal(kindOf(events.get(events.size() - 1)), "statusUpdate COMPLETED", "the last event");
    }

    private static void subscribe(Peer peer) throws Exception {
        String id;
        try (var stream = peer.stream("forever")) {
            var event = stream.next();
            id = text(event.getAsJsonObject("task"), "id");
            while (!event.has("artifactUpdate")) {
                event = stream.next();
            }
        }
        // That stream was dropped; the task goes on.
        var events = new ArrayList<JsonObject>();
        try (var stream = peer.subscribe(id)) {
            for (var event = stream.next(); event != null; event = stream.next()) {
                events.add(event);
                if (events.size() == 3) {
                    equal(state(peer.cancel(id)), "CANCELED", "state after the cancel");
                }
            }
        }
        var seen = steady(events);
        equal(seen.get(0), "task WORKING", "the first event");
        equal(seen.get(seen.size() - 1), "statusUpdate CANCELED", "the last event");
        var text = textOf(artifact(events.get(0).getAsJsonObject("task"), "slow")) + chunksOf(events);
        var count = text.split(";").length;
        var wanted = IntStream.rangeClosed(1, count).mapToObj("chunk %d;"::formatted).collect(Collectors.joining());
        equal(text, wanted, "chunks");
        equal(textOf(artifact(peer.get(id), "slow")), text, "artifact afterwards");
    }

    private static void history(Peer peer) throws Exception {
        var asked = peer.task("ask");
        var context = text(asked, "contextId");
        var done = peer.task(message("hello", "taskId", text(asked, "id"), "contextId", context));
        var history = done.getAsJsonArray("history");
        var said = objects(history).stream()
                .map(m -> text(m, "role") + " " + textOf(m.getAsJsonArray("parts"))).toList();
        equal(said, List.of("ROLE_USER ask", "ROLE_AGENT What else should I know?", "ROLE_USER hello"), "history");
        for (var length : new Integer[] {null, 0, 1, 100}) {
            var wanted = new JsonArray();
            objects(history).stream().skip(length == null ? 0 : Math.max(0, 3 - length)).forEach(wanted::add);
            var task = peer.get(text(asked, "id"), length);
            equal(members(task, "history"), wanted, "history of length " + length);
            var page = peer.list(Json.object("contextId", context, "historyLength", length));
            task = members(page, "tasks").get(0).getAsJsonObject();
            equal(members(task, "history"), wanted, "listed history of length " + length);
        }
    }

    private static void list(Peer peer) throws Exception {
        var context = UUID.randomUUID().toString();
        var ids = new ArrayList<String>();
        for (var text : List.of("one", "two", "three", "ask")) {
            ids.add(text(peer.task(message(text, "contextId", context)), "id"));
        }
        var first = peer.list(Json.object("contextId", context, "pageSize", 3));
        equal(members(first, "tasks").size(), 3, "tasks of the first page");
        equal(first.get("totalSize").getAsInt(), 4, "total size");
        var token = text(first, "nextPageToken");
        var second = peer.list(Json.object("contextId", context, "pageSize", 3, "pageToken", token));
        equal(text(second, "nextPageToken"), "", "the token of the last page");
        var found = new ArrayList<>(objects(first.getAsJsonArray("tasks")));
        found.addAll(objects(second.getAsJsonArray("tasks")));
        equal(sorted(found), ids.stream().sorted().toList(), "tasks of all pages");
        holds(found.stream().noneMatch(task -> task.has("artifacts")), "no artifacts unless they are asked for");
        var completed = Json.object("contextId", context, "status", "TASK_STATE_COMPLETED", "includeArtifacts", true);
        var some = objects(peer.list(completed).getAsJsonArray("tasks"));
        equal(sorted(some), ids.stream().limit(3).sorted().toList(), "completed tasks");
        var whole = some.stream().allMatch(task -> members(task, "artifacts").size() == 1);
        holds(whole, "artifacts, when they are asked for");
    }

    private static void cancel(Peer peer) throws Exception {
        var request = message("forever");
        request.add("configuration", Json.object("returnImmediately", true));
        var task = peer.task(request);
        var canceled = peer.cancel(text(task, "id"));
        equal(text(canceled, "id"), text(task, "id"), "the task that is canceled");
        equal(state(canceled), "CANCELED", "state after the cancel");
        equal(state(peer.get(text(task, "id"))), "CANCELED", "state afterwards");
    }

    private static void cancelTwice(Peer peer) throws Exception {
        var id = text(peer.task("ask"), "id");
        peer.cancel(id);
        refused(TaskNotCancelableError.class, () -> peer.cancel(id));
    }

    private static void followUp(Peer peer) throws Exception {
        for (var streams : List.of(false, true)) {
            var asked = peer.task("ask");
            equal(state(asked), "INPUT_REQUIRED", "state");
            var request = message("hello", "taskId", text(asked, "id"), "contextId", text(asked, "contextId"));
            if (streams) {
                var events = peer.stream(request).all();
                equal(kindOf(events.get(events.size() - 1)), "statusUpdate COMPLETED", "the last event");
            } else {
                completes(peer.task(request), asked);
            }
            equal(textOf(artifact(peer.get(text(asked, "id")), "echo")), "echo: hello", "artifact");
        }
        var events = peer.stream("ask").all();
        equal(kindOf(events.get(events.size() - 1)), "statusUpdate INPUT_REQUIRED", "the last event");
    }

    private static void authRequired(Peer peer) throws Exception {
        var task = peer.task("auth");
        equal(state(task), "AUTH_REQUIRED", "state");
        completes(peer.task(message("hello", "taskId", text(task, "id"))), task);
    }

    private static void directMessage(Peer peer) throws Exception {
        var answer = peer.send(message("message hi")).getAsJsonObject("message");
        equal(textOf(answer.getAsJsonArray("parts")), "echo: message hi", "text");
        equal(text(answer, "role"), "ROLE_AGENT", "role");
        var events = peer.stream("message hi").all();
        equal(events.stream().map(Scenarios::kindOf).toList(), List.of("message"), "events");
        var streamed = events.get(0).getAsJsonObject("message");
        equal(textOf(streamed.getAsJsonArray("parts")), "echo: message hi", "text in the stream");
    }

    private static void kinds(Peer peer) throws Exception {
        equal(plain(artifact(peer.task("kinds"), "kinds")), KINDS, "parts");
        var events = peer.stream("kinds").all();
        var updates = events.stream().filter(e -> e.has("artifactUpdate")).toList();
        equal(updates.size(), 1, "updates of artifacts");
        equal(plain(partsOf(updates.get(0))), KINDS, "parts in the stream");
        // Binary parts are not among the modes that the agent takes.
        var parts = Json.array(Json.object("text", "hello"), KINDS.get(0), KINDS.get(3),
                Json.parse("{\"data\": [1, \"x\", {}]}"), Json.parse("{\"text\": \"x\", \"metadata\": {\"a\": 1}}"));
        equal(sentAndKept(peer, parts), parts, "parts in the history");
    }

    private static void nullData(Peer peer) throws Exception {
        var parts = Json.array(Json.object("text", "hello"), Json.parse("{\"data\": null}"));
        equal(sentAndKept(peer, parts), parts, "parts in the history");
    }

    private static JsonArray sentAndKept(Peer peer, JsonArray parts) throws Exception {
        var history = peer.task(message(parts)).getAsJsonArray("history");
        return plain(history.get(0).getAsJsonObject().getAsJsonArray("parts"));
    }

    private static void large(Peer peer) throws Exception {
        var text = "ü🌍x \"\\\n".repeat(1024 * 1024 / 12);
        holds(textOf(artifact(peer.task(text), "echo")).equals("echo: " + text), "1 MiB comes back as it was sent");
        holds(chunksOf(peer.stream(text).all()).equals("echo: " + text), "1 MiB is streamed as it was sent");
    }

    private static void states(Peer peer) throws Exception {
        for (var text : List.of("fail", "reject", "panic")) {
            var wanted = text.equals("reject") ? "REJECTED" : "FAILED";
            equal(state(peer.task(text)), wanted, "state after " + text);
            var events = peer.stream(text).all();
            equal(kindOf(events.get(events.size() - 1)), "statusUpdate " + wanted, "the last event of " + text);
        }
    }

    private static void errors(Peer peer) throws Exception {
        for (Peer.Call call : List.<Peer.Call>of(
                () -> peer.get("nope"),
                () -> peer.cancel("nope"),
                () -> peer.subscribe("nope"),
                () -> peer.send(message("x", "taskId", "nope")),
                () -> peer.stream(message("x", "taskId", "nope")))) {
            var details = refused(TaskNotFoundError.class, call).getDetails();
            // Over JSON-RPC the client has all of ErrorInfo for details, else its metadata.
            var metadata = details.get("metadata") instanceof Map<?, ?> inner ? inner : details;
            equal(metadata.get("taskId"), "nope", "metadata");
        }
        var id = text(peer.task("hello"), "id");
        for (Peer.Call call : List.<Peer.Call>of(
                () -> peer.send(message("x", "taskId", id)),
                () -> peer.stream(message("x", "taskId", id)),
                () -> peer.subscribe(id))) {
            refused(UnsupportedOperationError.class, call);
        }
        refused(TaskNotCancelableError.class, () -> peer.cancel(id));
    }

    private static void contentType(Peer peer) throws Exception {
        var binary = Json.object("raw", "AAE=", "mediaType", "application/x-unsupported");
        var parts = Json.array(Json.object("text", "hello"), binary);
        refused(ContentTypeNotSupportedError.class, () -> peer.send(message(parts)));
        refused(ContentTypeNotSupportedError.class, () -> peer.stream(message(parts)));
    }

    private static void invalid(Peer peer) throws Exception {
        var asked = peer.task("ask");
        Peer.Call call = () -> peer.send(message("x", "taskId", text(asked, "id"), "contextId", "another"));
        if (!peer.binding().equals("HTTP+JSON")) {
            holds(refused(InvalidParamsError.class, call) != null, "refused");
            return;
        }
        // There the client knows a kind by ErrorInfo alone, which only A2A errors carry.
        var error = Peer.failure(call);
        var isRefusal = error.getCause() instanceof A2AClientHTTPError http && http.getCode() == 400;
        holds(isRefusal, "status in " + error.getCause());
        holds(error.getMessage().contains("contextId"), "what is invalid: " + error.getMessage());
    }

    private static void tenant(Peer peer) throws Exception {
        var other = peer.claiming(card -> objects(card.getAsJsonArray("supportedInterfaces"))
                .forEach(i -> i.addProperty("tenant", "acme")));
        var task = other.task("ask");
        completes(other.task(message("hello", "taskId", text(task, "id"))), task);
        refused(TaskNotFoundError.class, () -> peer.get(text(task, "id")));
    }

    private static void version(Peer peer) throws Exception {
        var other = peer.with("A2A-Version", "9.9");
        refused(VersionNotSupportedError.class, () -> other.task("hello"));
        refused(VersionNotSupportedError.class, () -> other.stream("hello"));
    }

    /** The task that waited is done. */
    private static void completes(JsonObject task, JsonObject waiting) {
        equal(text(task, "id"), text(waiting, "id"), "the task after the next turn");
        equal(state(task), "COMPLETED", "state after the next turn");
    }

    /** What an event is, in short. */
    static String kindOf(JsonObject event) {
        var name = event.keySet().iterator().next();
        var inner = event.getAsJsonObject(name);
        return switch (name) {
            case "artifactUpdate" -> inner.has("append") && inner.get("append").getAsBoolean() ? "append" : "artifact";
            case "message" -> name;
            default -> name + " " + state(inner);
        };
    }

    /** The kinds of the events of one task, which comes first. */
    private static List<String> steady(List<JsonObject> events) {
        var task = events.get(0).getAsJsonObject("task");
        for (var event : events.subList(1, events.size())) {
            var inner = event.getAsJsonObject(event.keySet().iterator().next());
            equal(text(inner, "taskId") + " " + text(inner, "contextId"),
                    text(task, "id") + " " + text(task, "contextId"), "ids of an event");
        }
        return events.stream().map(Scenarios::kindOf).toList();
    }

    private static JsonArray partsOf(JsonObject event) {
        return event.getAsJsonObject("artifactUpdate").getAsJsonObject("artifact").getAsJsonArray("parts");
    }

    static String chunksOf(List<JsonObject> events) {
        return events.stream().filter(event -> event.has("artifactUpdate")).map(event -> textOf(partsOf(event)))
                .collect(Collectors.joining());
    }

    /** The parts of the only artifact. */
    private static JsonArray artifact(JsonObject task, String id) {
        equal(texts(members(task, "artifacts"), "artifactId"), List.of(id), "artifacts");
        return members(task, "artifacts").get(0).getAsJsonObject().getAsJsonArray("parts");
    }

    private static String textOf(JsonArray parts) {
        return objects(parts).stream().map(part -> {
            holds(part.has("text"), "only text parts: " + part);
            return text(part, "text");
        }).collect(Collectors.joining());
    }

    static List<String> texts(JsonArray array, String name) {
        return objects(array).stream().map(object -> text(object, name)).toList();
    }

    static List<JsonObject> objects(JsonArray array) {
        return StreamSupport.stream(array.spliterator(), false).map(JsonElement::getAsJsonObject).toList();
    }

    private static List<String> sorted(List<JsonObject> tasks) {
        return tasks.stream().map(task -> text(task, "id")).sorted().toList();
    }

    static String text(JsonObject object, String name) {
        return object.has(name) ? object.get(name).getAsString() : "";
    }

    /** A list that is left out when it is empty. */
    private static JsonArray members(JsonObject object, String name) {
        return object.has(name) ? object.getAsJsonArray(name) : new JsonArray();
    }

    /** Without the metadata that the types of the client add where there were none. */
    private static JsonArray plain(JsonArray messagesOrParts) {
        messagesOrParts = messagesOrParts.deepCopy();
        for (var object : objects(messagesOrParts)) {
            if (object.has("metadata") && object.getAsJsonObject("metadata").isEmpty()) {
                object.remove("metadata");
            }
            if (object.has("parts")) {
                object.add("parts", plain(object.getAsJsonArray("parts")));
            }
        }
        return messagesOrParts;
    }

    private static byte[] bytes() {
        var bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }
}
