package interop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

import com.google.gson.JsonObject;

/** The events of a stream, and how it ended: the client itself tells only some ends. */
final class Events implements AutoCloseable {
    private static final Object END = new Object();

    private final LinkedBlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    private volatile Runnable drop = () -> {};
    private volatile JsonObject folded;

    void add(JsonObject event) {
        queue.add(event);
    }

    /** The task as the client has put it together. */
    void fold(JsonObject task) {
        folded = task;
    }

    JsonObject folded() {
        return folded;
    }

    /** An error; without one it is an end that is told in another way as well. */
    void fail(Throwable error) {
        if (error != null) {
            queue.add(error);
        }
    }

    void end() {
        queue.add(END);
    }

    /** What ends the stream before its end. */
    void dropsBy(Runnable drop) {
        this.drop = drop;
    }

    /** The next event; {@code null} at the end. */
    JsonObject next() throws Exception {
        var event = queue.take();
        if (event instanceof JsonObject json) {
            return json;
        } else if (event instanceof Exception error) {
            throw error;
        } else if (event instanceof Throwable error) {
            throw new IllegalStateException(error);
        }
        return null;
    }

    /** All events to the end. */
    List<JsonObject> all() throws Exception {
        var events = new ArrayList<JsonObject>();
        for (var event = next(); event != null; event = next()) {
            events.add(event);
        }
        return events;
    }

    @Override
    public void close() {
        drop.run();
    }
}
