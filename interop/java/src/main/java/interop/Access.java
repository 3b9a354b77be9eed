package interop;

import static interop.Check.equal;
import static interop.Check.holds;
import static interop.Peer.message;
import static interop.Peer.refused;
import static interop.Peer.state;
import static interop.Scenarios.text;

import java.util.List;

import org.a2aproject.sdk.common.A2AErrorMessages;
import org.a2aproject.sdk.spec.A2AClientHTTPError;
import org.a2aproject.sdk.spec.ExtendedAgentCardNotConfiguredError;
import org.a2aproject.sdk.spec.ExtensionSupportRequiredError;
import org.a2aproject.sdk.spec.InvalidAgentResponseError;
import org.a2aproject.sdk.spec.PushNotificationNotSupportedError;
import org.a2aproject.sdk.spec.TaskNotFoundError;
import org.a2aproject.sdk.spec.TaskPushNotificationConfig;
import org.a2aproject.sdk.spec.UnsupportedOperationError;

/** What the client must get from an agent that does not do everything, or not for everybody. */
final class Access {
    private static final String EXTENSION = "urn:example:Required/v1";
    private static final String BOB = "token-of-bob";

    private Access() {}

    static void capabilities(Peer peer) throws Exception {
        var claiming = peer.claiming(card -> card.add("capabilities",
                Json.object("streaming", true, "pushNotifications", true, "extendedAgentCard", true)));
        refused(UnsupportedOperationError.class, () -> claiming.stream("hello"));
        var config = TaskPushNotificationConfig.builder().taskId("x").id("hook")
                .url("https://example.com/hook").build();
        refused(PushNotificationNotSupportedError.class,
                () -> claiming.client().createTaskPushNotificationConfiguration(config, peer.context()));
        // Without the claims the client does with one answer.
        try (var stream = peer.stream("hello")) {
            equal(Scenarios.kindOf(stream.next()), "task COMPLETED", "event");
        }
        refused(UnsupportedOperationError.class, claiming::extendedCard);
    }

    static void credentials(Peer peer) throws Exception {
        for (var other : List.of(peer.as(null), peer.as("wrong"))) {
            for (Peer.Call call : List.<Peer.Call>of(
                    () -> other.task("x"), () -> other.stream("x"), () -> other.get("x"))) {
                var error = Peer.failure(call);
                holds(isUnauthenticated(peer, error), "unauthenticated: " + error + ", cause " + error.getCause());
            }
        }
        var task = text(peer.task("ask"), "id");
        var bob = peer.as(BOB);
        for (Peer.Call call : List.<Peer.Call>of(
                () -> bob.get(task), () -> bob.cancel(task), () -> bob.send(message("x", "taskId", task)))) {
            refused(TaskNotFoundError.class, call);
        }
        equal(state(peer.task(message("hello", "taskId", task))), "COMPLETED", "state");
    }

    private static boolean isUnauthenticated(Peer peer, Throwable error) {
        if (peer.binding().equals("GRPC")) {
            return error.getMessage().endsWith(A2AErrorMessages.AUTHENTICATION_FAILED);
        }
        for (var cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof A2AClientHTTPError http) {
                return http.getCode() == 401;
            }
        }
        return false;
    }

    static void extendedCard(Peer peer) throws Exception {
        var card = peer.extendedCard();
        equal(Scenarios.texts(card.getAsJsonArray("skills"), "id"), List.of("echo", "hidden"), "skills");
        equal(card.get("supportedInterfaces"), peer.card().get("supportedInterfaces"), "interfaces");
    }

    static void cardNotConfigured(Peer peer) throws Exception {
        refused(ExtendedAgentCardNotConfiguredError.class, peer::extendedCard);
    }

    static void invalidAgentResponse(Peer peer) throws Exception {
        refused(InvalidAgentResponseError.class, () -> peer.task("hello"));
        refused(InvalidAgentResponseError.class, () -> peer.stream("hello"));
    }

    static void extension(Peer peer) throws Exception {
        refused(ExtensionSupportRequiredError.class, () -> peer.task("hello"));
        refused(ExtensionSupportRequiredError.class, () -> peer.stream("hello"));
        equal(state(peer.with("A2A-Extensions", EXTENSION).task("hello")), "COMPLETED", "state");
    }
}
