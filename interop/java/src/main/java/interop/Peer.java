package interop;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import org.a2aproject.sdk.A2A;
import org.a2aproject.sdk.client.Client;
import org.a2aproject.sdk.client.ClientEvent;
import org.a2aproject.sdk.client.MessageEvent;
import org.a2aproject.sdk.client.TaskEvent;
import org.a2aproject.sdk.client.TaskUpdateEvent;
import org.a2aproject.sdk.client.config.ClientConfig;
import org.a2aproject.sdk.client.transport.grpc.GrpcTransport;
import org.a2aproject.sdk.client.transport.grpc.GrpcTransportConfig;
import org.a2aproject.sdk.client.transport.jsonrpc.JSONRPCTransport;
import org.a2aproject.sdk.client.transport.jsonrpc.JSONRPCTransportConfig;
import org.a2aproject.sdk.client.transport.rest.RestTransport;
import org.a2aproject.sdk.client.transport.rest.RestTransportConfig;
import org.a2aproject.sdk.client.transport.spi.interceptors.ClientCallContext;
import org.a2aproject.sdk.grpc.utils.ProtoUtils.FromProto;
import org.a2aproject.sdk.grpc.utils.ProtoUtils.ToProto;
import org.a2aproject.sdk.spec.A2AError;
import org.a2aproject.sdk.spec.AgentCard;
import org.a2aproject.sdk.spec.StreamingEventKind;
import org.a2aproject.sdk.spec.TaskIdParams;

/** Our agent over one binding; requests and answers are the JSON of the protocol. */
record Peer(String base, String binding, Wire wire, Map<String, String> headers, Consumer<JsonObject> claims) {

    /** A call that answers, or is refused. */
    interface Call {
        Object run() throws Exception;
    }

    Peer(String base, String binding, Wire wire) {
        this(base, binding, wire, Map.of(), card -> {});
    }

    /** The same with another token; {@code null}: without. */
    Peer as(String token) {
        return with("Authorization", token == null ? null : "Bearer " + token);
    }

    /** The same with a header of every call. */
    Peer with(String name, String value) {
        var more = new HashMap<>(headers);
        if (value == null) {
            more.remove(name);
        } else {
            more.put(name, value);
        }
        return new Peer(base, binding, wire, more, claims);
    }

    /** The same with a card that is changed before the client sees it. */
    Peer claiming(Consumer<JsonObject> claims) {
        return new Peer(base, binding, wire, headers, claims);
    }

    JsonObject card() throws Exception {
        return json(ToProto.agentCard(A2A.getAgentCard(wire.http(null), base)));
    }

    /** SendMessage: a task or a message. */
    JsonObject send(JsonObject request) throws Exception {
        var answer = new AtomicReference<JsonObject>();
        List<BiConsumer<ClientEvent, AgentCard>> consumers = List.of((event, card) -> answer.set(event(event)));
        var sent = FromProto.messageSendParams(proto(request, org.a2aproject.sdk.grpc.SendMessageRequest.newBuilder()));
        client(false, null).sendMessage(sent, consumers, error -> {}, context());
        return answer.get();
    }

    /** SendMessage answered with a task. */
    JsonObject task(JsonObject request) throws Exception {
        var answer = send(request);
        Check.equal(answer.keySet().toString(), "[task]", "the answer is a task");
        return answer.getAsJsonObject("task");
    }

    JsonObject task(String text) throws Exception {
        return task(message(text));
    }

    /** SendStreamingMessage: the events as they come. */
    Events stream(JsonObject request) throws Exception {
        var events = new Events();
        var sent = FromProto.messageSendParams(proto(request, org.a2aproject.sdk.grpc.SendMessageRequest.newBuilder()));
        client(true, events).sendMessage(sent, consumers(events), events::fail, context());
        return events;
    }

    Events stream(String text) throws Exception {
        return stream(message(text));
    }

    Events subscribe(String id) throws Exception {
        var events = new Events();
        client(true, events).subscribeToTask(new TaskIdParams(id, null), consumers(events), events::fail, context());
        return events;
    }

    JsonObject get(String id, Integer historyLength) throws Exception {
        var request = Json.object("id", id, "historyLength", historyLength);
        var sent = FromProto.taskQueryParams(proto(request, org.a2aproject.sdk.grpc.GetTaskRequest.newBuilder()));
        return json(ToProto.task(client().getTask(sent, context())));
    }

    JsonObject get(String id) throws Exception {
        return get(id, null);
    }

    JsonObject list(JsonObject request) throws Exception {
        var sent = FromProto.listTasksParams(proto(request, org.a2aproject.sdk.grpc.ListTasksRequest.newBuilder()));
        return json(ToProto.listTasksResult(client().listTasks(sent, context())));
    }

    JsonObject cancel(String id) throws Exception {
        var request = proto(Json.object("id", id), org.a2aproject.sdk.grpc.CancelTaskRequest.newBuilder());
        return json(ToProto.task(client().cancelTask(FromProto.cancelTaskParams(request), context())));
    }

    JsonObject extendedCard() throws Exception {
        return json(ToProto.agentCard(client().getExtendedAgentCard(null, context())));
    }

    /** Polls a task to a state. */
    JsonObject until(String id, String wanted) throws Exception {
        for (;;) {
            var task = get(id);
            if (state(task).equals(wanted)) {
                return task;
            }
            Thread.sleep(20);
        }
    }

    /** The call fails with this kind of error. */
    static A2AError refused(Class<? extends A2AError> kind, Call call) throws Exception {
        var error = failure(call);
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof A2AError found) {
                Check.equal(found.getClass(), kind, "error in the client (" + found.getMessage() + ")");
                Check.holds(!found.getMessage().isEmpty(), "the error has a message");
                return found;
            }
        }
        throw new AssertionError("expected " + kind.getSimpleName() + ", got " + error, error);
    }

    /** The call fails. */
    static Exception failure(Call call) {
        Object got;
        try {
            got = call.run();
            if (got instanceof Events events) {
                got = events.all();
            }
        } catch (Exception error) {
            return error;
        }
        throw new AssertionError("expected an error, got " + got);
    }

    Client client() throws Exception {
        return client(false, null);
    }

    private Client client(boolean streaming, Events events) throws Exception {
        var card = card();
        claims.accept(card);
        var known = FromProto.agentCard(proto(card, org.a2aproject.sdk.grpc.AgentCard.newBuilder()));
        var builder = Client.builder(known).clientConfig(ClientConfig.builder().setStreaming(streaming).build());
        return switch (binding) {
            case "JSONRPC" -> {
                var config = new JSONRPCTransportConfig(wire.http(events));
                yield builder.withTransport(JSONRPCTransport.class, config).build();
            }
            case "HTTP+JSON" -> {
                var config = new RestTransportConfig(wire.http(events));
                yield builder.withTransport(RestTransport.class, config).build();
            }
            default -> {
                var version = headers.get("A2A-Version");
                var config = new GrpcTransportConfig(address -> wire.channel(address, version, events));
                yield builder.withTransport(GrpcTransport.class, config).build();
            }
        };
    }

    ClientCallContext context() {
        var sent = new HashMap<>(headers);
        if (binding.equals("GRPC")) {
            // There the client would send its own as well.
            sent.remove("A2A-Version");
        }
        return new ClientCallContext(new HashMap<>(), sent);
    }

    private static List<BiConsumer<ClientEvent, AgentCard>> consumers(Events events) {
        return List.of((event, card) -> {
            events.add(event(event));
            if (event instanceof TaskUpdateEvent update) {
                events.fold(json(ToProto.task(update.getTask())));
            }
        });
    }

    private static JsonObject event(ClientEvent event) {
        StreamingEventKind inner;
        if (event instanceof TaskEvent task) {
            inner = task.getTask();
        } else if (event instanceof MessageEvent message) {
            inner = message.getMessage();
        } else {
            inner = (StreamingEventKind) ((TaskUpdateEvent) event).getUpdateEvent();
        }
        return json(ToProto.taskOrMessageStream(inner));
    }

    /** The request of a send; {@code fields} are more members of the message. */
    static JsonObject message(String text, Object... fields) {
        return message(Json.array(Json.object("text", text)), fields);
    }

    static JsonObject message(JsonArray parts, Object... fields) {
        var message = Json.object(fields);
        if (!message.has("messageId")) {
            message.addProperty("messageId", UUID.randomUUID().toString());
        }
        message.addProperty("role", "ROLE_USER");
        message.add("parts", parts);
        return Json.object("message", message);
    }

    static String state(JsonObject task) {
        return task.getAsJsonObject("status").get("state").getAsString().replace("TASK_STATE_", "");
    }

    static JsonObject json(Message message) {
        try {
            return Json.parse(JsonFormat.printer().print(message));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static <B extends Message.Builder> B proto(JsonObject json, B builder) throws InvalidProtocolBufferException {
        JsonFormat.parser().merge(json.toString(), builder);
        return builder;
    }
}
