package interop;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import org.a2aproject.sdk.client.http.A2AHttpClient;
import org.a2aproject.sdk.client.http.A2AHttpResponse;
import org.a2aproject.sdk.client.http.JdkA2AHttpClient;
import org.a2aproject.sdk.client.http.ServerSentEvent;

/** The connections, and a look at where streams end. */
final class Wire {
    private static final int MESSAGE_BYTES = 16 * 1024 * 1024;

    private final A2AHttpClient http = new JdkA2AHttpClient();
    private final Map<String, Channel> channels = new ConcurrentHashMap<>();

    /** The client of the SDK; its streams tell {@code events} how they end. */
    A2AHttpClient http(Events events) {
        return events == null ? http : new Watched(http, events);
    }

    /** A channel whose streams tell {@code events} how they end; a version takes the place of the client's own. */
    Channel channel(String address, String version, Events events) {
        var channel = channels.computeIfAbsent(address, target ->
                NettyChannelBuilder.forTarget(target).usePlaintext().maxInboundMessageSize(MESSAGE_BYTES).build());
        return ClientInterceptors.intercept(channel, new Interceptor(version, events));
    }

    private record Interceptor(String version, Events events) implements ClientInterceptor {
        private static final Metadata.Key<String> VERSION =
                Metadata.Key.of("a2a-version", Metadata.ASCII_STRING_MARSHALLER);

        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<A> listener, Metadata metadata) {
                    if (version != null) {
                        metadata.discardAll(VERSION);
                        metadata.put(VERSION, version);
                    }
                    if (events == null || !method.getType().equals(MethodDescriptor.MethodType.SERVER_STREAMING)) {
                        super.start(listener, metadata);
                        return;
                    }
                    events.dropsBy(() -> cancel("no longer wanted", null));
                    super.start(new SimpleForwardingClientCallListener<>(listener) {
                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            super.onClose(status, trailers);
                            events.end();
                        }
                    }, metadata);
                }
            };
        }
    }

    private record Watched(A2AHttpClient inner, Events events) implements A2AHttpClient {
        @Override
        public GetBuilder createGet() {
            return inner.createGet();
        }

        @Override
        public PostBuilder createPost() {
            return new WatchedPost(inner.createPost(), events);
        }

        @Override
        public DeleteBuilder createDelete() {
            return inner.createDelete();
        }
    }

    private record WatchedPost(A2AHttpClient.PostBuilder inner, Events events) implements A2AHttpClient.PostBuilder {
        @Override
        public A2AHttpClient.PostBuilder url(String url) {
            inner.url(url);
            return this;
        }

        @Override
        public A2AHttpClient.PostBuilder addHeaders(Map<String, String> headers) {
            inner.addHeaders(headers);
            return this;
        }

        @Override
        public A2AHttpClient.PostBuilder addHeader(String name, String value) {
            inner.addHeader(name, value);
            return this;
        }

        @Override
        public A2AHttpClient.PostBuilder body(String body) {
            inner.body(body);
            return this;
        }

        @Override
        public A2AHttpResponse post() throws IOException, InterruptedException {
            return inner.post();
        }

        @Override
        public CompletableFuture<Void> postAsyncSSE(
                Consumer<ServerSentEvent> message, Consumer<Throwable> error, Runnable complete)
                throws IOException, InterruptedException {
            var stream = inner.postAsyncSSE(message, error, complete);
            events.dropsBy(() -> stream.cancel(true));
            stream.whenComplete((nothing, thrown) -> events.end());
            return stream;
        }
    }
}
