package interop;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

import com.google.protobuf.Message;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import jakarta.enterprise.inject.Instance;
import org.a2aproject.sdk.common.A2AHeaders;
import org.a2aproject.sdk.server.ServerCallContext;
import org.a2aproject.sdk.server.auth.AuthenticatedUser;
import org.a2aproject.sdk.server.auth.UnauthenticatedUser;
import org.a2aproject.sdk.server.extensions.A2AExtensions;
import org.a2aproject.sdk.server.requesthandlers.RequestHandler;
import org.a2aproject.sdk.spec.AgentCard;
import org.a2aproject.sdk.transport.grpc.handler.CallContextFactory;
import org.a2aproject.sdk.transport.grpc.handler.GrpcHandler;

/** gRPC, on a port of its own. */
final class Grpc extends GrpcHandler {
    private static final int MESSAGE_BYTES = 16 * 1024 * 1024;
    private static final Context.Key<Caller> CALLER = Context.key("caller");

    private final AgentCard card;
    private final Instance<AgentCard> extended;
    private final RequestHandler handler;
    private final Executor threads;

    private Grpc(AgentCard card, Instance<AgentCard> extended, RequestHandler handler, Executor threads) {
        this.card = card;
        this.extended = extended;
        this.handler = handler;
        this.threads = threads;
    }

    static void serve(int port, AgentCard card, Instance<AgentCard> extended, RequestHandler handler, Executor threads,
            Map<String, String> tokens) throws IOException {
        var address = new InetSocketAddress("127.0.0.1", port);
        NettyServerBuilder.forAddress(address, InsecureServerCredentials.create())
                .executor(threads)
                .maxInboundMessageSize(MESSAGE_BYTES)
                .addService(new Grpc(card, extended, handler, threads))
                .intercept(new Guard(tokens))
                .build()
                .start();
    }

    /** Who calls, with what metadata and, once the request is there, of which tenant. */
    private record Caller(String name, Metadata metadata, AtomicReference<String> tenant) {
        String header(String name) {
            return metadata.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
        }
    }

    /** Lets only those with a token through, if there are tokens. */
    private record Guard(Map<String, String> tokens) implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
            var header = metadata.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
            var name = Options.name(tokens, header);
            if (!tokens.isEmpty() && name == null) {
                call.close(Status.UNAUTHENTICATED.withDescription("who are you?"), new Metadata());
                return new ServerCall.Listener<>() {};
            }
            var caller = new Caller(name, metadata, new AtomicReference<>(""));
            var listener = Contexts.interceptCall(Context.current().withValue(CALLER, caller), call, metadata, next);
            return new SimpleForwardingServerCallListener<>(listener) {
                @Override
                public void onMessage(Q request) {
                    var message = (Message) request;
                    var field = message.getDescriptorForType().findFieldByName("tenant");
                    caller.tenant().set(field == null ? "" : (String) message.getField(field));
                    super.onMessage(request);
                }
            };
        }
    }

    private static final class Factory implements CallContextFactory {
        @Override
        public <V> ServerCallContext create(StreamObserver<V> observer) {
            var caller = CALLER.get();
            var user = caller.name() == null ? UnauthenticatedUser.INSTANCE : new AuthenticatedUser(caller.name());
            var extensions = caller.header(A2AHeaders.A2A_EXTENSIONS);
            var state = new HashMap<String, Object>(Map.of(Owners.TENANT, caller.tenant().get()));
            return new ServerCallContext(user, state,
                    A2AExtensions.getRequestedExtensions(extensions == null ? List.of() : List.of(extensions)),
                    caller.header(A2AHeaders.A2A_VERSION));
        }
    }

    @Override
    protected RequestHandler getRequestHandler() {
        return handler;
    }

    @Override
    protected AgentCard getAgentCard() {
        return card;
    }

    @Override
    protected AgentCard getExtendedAgentCard() {
        return extended.get();
    }

    @Override
    protected CallContextFactory getCallContextFactory() {
        return new Factory();
    }

    @Override
    protected Executor getExecutor() {
        return threads;
    }
}
