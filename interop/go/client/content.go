package main

import (
	"errors"
	"regexp"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/a2aproject/a2a-go/v2/errordetails"
)

func directMessage(peer *peer) {
	answer, found := must(peer.send(message("message hi"))).(*a2a.Message)
	holds(found, "the answer is a message")
	equal(textOf(answer.Parts), "echo: message hi", "text")
	equal(answer.Role, a2a.MessageRoleAgent, "role")
	events := all(peer.stream(message("message hi")))
	holds(len(events) == 1 && kindOf(events[0]) == "message", "one message", len(events))
	equal(textOf(events[0].(*a2a.Message).Parts), "echo: message hi", "text in the stream")
}

func allKinds() a2a.ContentParts {
	bytes := make([]byte, 256)
	for at := range bytes {
		bytes[at] = byte(at)
	}
	raw := a2a.NewRawPart(bytes)
	raw.MediaType, raw.Filename = "application/octet-stream", "bytes.bin"
	return a2a.ContentParts{
		a2a.NewTextPart("plain text"),
		raw,
		a2a.NewFileURLPart("https://example.com/a%20b.png", "image/png"),
		a2a.NewDataPart(map[string]any{"n": 1.5, "s": "ü", "l": []any{true, nil}}),
	}
}

func kinds(peer *peer) {
	wanted := allKinds()
	equal(artifact(peer.task("kinds"), "kinds"), wanted, "parts")
	var streamed a2a.ContentParts
	for _, event := range all(peer.stream(message("kinds"))) {
		if update, found := event.(*a2a.TaskArtifactUpdateEvent); found {
			streamed = append(streamed, update.Artifact.Parts...)
		}
	}
	equal(streamed, wanted, "parts in the stream")
	// Binary parts are not among the modes that the agent takes.
	noted := a2a.NewTextPart("x")
	noted.Metadata = map[string]any{"a": 1}
	parts := a2a.ContentParts{a2a.NewTextPart("hello"), wanted[0], wanted[3], noted}
	if peer.binding != a2a.TransportProtocolGRPC {
		// Over gRPC the client takes objects alone: `null_data` shows it.
		parts = append(parts, a2a.NewDataPart([]any{1, "x", map[string]any{}}))
	}
	equal(peer.task("", withParts(parts...)).History[0].Parts, parts, "parts in the history")
}

func nullData(peer *peer) {
	parts := a2a.ContentParts{a2a.NewTextPart("hello"), a2a.NewDataPart(nil)}
	equal(peer.task("", withParts(parts...)).History[0].Parts, parts, "parts in the history")
}

func large(peer *peer) {
	text := strings.Repeat("ü🌍x \"\\\n", 1024*1024/12)
	holds(textOf(peer.task(text).Artifacts[0].Parts) == "echo: "+text, "1 MiB comes back as it was sent")
	holds(chunksOf(all(peer.stream(message(text)))) == "echo: "+text, "1 MiB is streamed as it was sent")
}

func states(peer *peer) {
	for text, wanted := range map[string]a2a.TaskState{
		"fail": a2a.TaskStateFailed, "reject": a2a.TaskStateRejected, "panic": a2a.TaskStateFailed,
	} {
		equal(peer.task(text).Status.State, wanted, "state after "+text)
		events := all(peer.stream(message(text)))
		equal(kindOf(events[len(events)-1]), "statusUpdate "+short(wanted), "the last event of "+text)
	}
}

func errorKinds(peer *peer) {
	unknown := ofTask("nope")
	for _, err := range []error{
		failed(call(peer, (*a2aclient.Client).GetTask, &a2a.GetTaskRequest{ID: "nope"})),
		failed(peer.cancel("nope")),
		failed(peer.send(message("x", unknown))),
	} {
		equal(metadata(refused(err, a2a.ErrTaskNotFound))["taskId"], "nope", "metadata")
	}
	done := peer.task("hello").ID
	refused(failed(peer.send(message("x", ofTask(done)))), a2a.ErrUnsupportedOperation)
	refused(failed(peer.cancel(done)), a2a.ErrTaskNotCancelable)
}

func streamErrors(peer *peer) {
	unknown := ofTask("nope")
	for _, err := range []error{
		failure(peer.subscribe("nope")),
		failure(peer.stream(message("x", unknown))),
	} {
		equal(metadata(refused(err, a2a.ErrTaskNotFound))["taskId"], "nope", "metadata")
	}
	done := peer.task("hello").ID
	refused(failure(peer.stream(message("x", ofTask(done)))), a2a.ErrUnsupportedOperation)
	refused(failure(peer.subscribe(done)), a2a.ErrUnsupportedOperation)
}

// metadata is that of the ErrorInfo.
func metadata(err *a2a.Error) map[string]string {
	for _, detail := range err.TypedDetails {
		if detail.TypeURL == errordetails.ErrorInfoType {
			found, _ := detail.Value["metadata"].(map[string]string)
			return found
		}
	}
	return nil
}

func contentType(peer *peer) {
	part := a2a.NewRawPart([]byte{0, 1})
	part.MediaType = "application/x-unsupported"
	parts := withParts(a2a.NewTextPart("hello"), part)
	refused(failed(peer.send(message("", parts))), a2a.ErrUnsupportedContentType)
	refusedStream(peer, peer.stream(message("", parts)), a2a.ErrUnsupportedContentType)
}

func invalid(peer *peer) {
	asked := peer.task("ask")
	nameless := message("x")
	nameless.Message.ID = ""
	for field, err := range map[string]error{
		`message\.contextId`: failed(peer.send(message("x", ofTask(asked.ID), inContext("another")))),
		`message\.messageId`: failed(peer.send(nameless)),
		`pageSize`:           failed(call(peer, (*a2aclient.Client).ListTasks, &a2a.ListTasksRequest{PageSize: 500})),
	} {
		holds(err != nil, "an error about "+field)
		// Over HTTP+JSON the client knows a kind by ErrorInfo alone, which only A2A errors carry.
		if peer.binding != a2a.TransportProtocolHTTPJSON {
			refused(err, a2a.ErrInvalidParams)
		}
		holds(regexp.MustCompile(field).MatchString(err.Error()), "what is invalid: "+field, err.Error())
	}
}

func tenant(peer *peer) {
	there := peer.claiming(func(card *a2a.AgentCard) {
		for _, declared := range card.SupportedInterfaces {
			declared.Tenant = "acme"
		}
	})
	task := there.task("ask")
	equal(there.get(task.ID).ID, task.ID, "the task of the tenant")
	done := there.task("hello", ofTask(task.ID))
	equal(done.ID, task.ID, "id")
	equal(done.Status.State, a2a.TaskStateCompleted, "state after the second turn")
	refused(failed(call(peer, (*a2aclient.Client).GetTask, &a2a.GetTaskRequest{ID: task.ID})), a2a.ErrTaskNotFound)
}

func version(peer *peer) {
	other := *peer
	other.version = "9.9"
	refused(failed(other.send(message("hello"))), a2a.ErrVersionNotSupported)
	refusedStream(peer, other.stream(message("hello")), a2a.ErrVersionNotSupported)
	request := &a2a.GetTaskRequest{ID: "x"}
	refused(failed(call(&other, (*a2aclient.Client).GetTask, request)), a2a.ErrVersionNotSupported)
}

func capabilities(peer *peer) {
	claiming := peer.claiming(func(card *a2a.AgentCard) {
		card.Capabilities = a2a.AgentCapabilities{Streaming: true, PushNotifications: true, ExtendedAgentCard: true}
	})
	refusedStream(peer, claiming.stream(message("hello")), a2a.ErrUnsupportedOperation)
	refused(failed(claiming.extendedCard()), a2a.ErrUnsupportedOperation)
	config := &a2a.PushConfig{TaskID: "x", ID: "hook", URL: "https://example.com/hook"}
	err := failed(call(claiming, (*a2aclient.Client).CreateTaskPushConfig, config))
	refused(err, a2a.ErrPushNotificationNotSupported)
	// Without the claims the client does with one answer.
	events := all(peer.stream(message("hello")))
	holds(len(events) == 1 && kindOf(events[0]) == "task COMPLETED", "one finished task", len(events))
}

func credentials(peer *peer) {
	for _, other := range []string{"", "wrong"} {
		stranger := peer.as(other)
		for _, err := range []error{
			failed(stranger.send(message("x"))),
			failure(stranger.stream(message("x"))),
			failed(call(stranger, (*a2aclient.Client).GetTask, &a2a.GetTaskRequest{ID: "x"})),
		} {
			holds(err != nil, "strangers are refused")
			// The client knows the kind over gRPC, the text over HTTP+JSON and the status over JSON-RPC.
			told := map[a2a.TransportProtocol]bool{
				a2a.TransportProtocolJSONRPC:  strings.Contains(err.Error(), "401 Unauthorized"),
				a2a.TransportProtocolHTTPJSON: strings.Contains(err.Error(), "bearer token"),
				a2a.TransportProtocolGRPC:     errors.Is(err, a2a.ErrUnauthenticated),
			}
			holds(told[peer.binding], "who is refused is told so", err.Error())
		}
	}
	task := peer.task("ask")
	bob := peer.as("token-of-bob")
	for _, err := range []error{
		failed(call(bob, (*a2aclient.Client).GetTask, &a2a.GetTaskRequest{ID: task.ID})),
		failed(bob.cancel(task.ID)),
		failed(bob.send(message("x", ofTask(task.ID)))),
	} {
		refused(err, a2a.ErrTaskNotFound)
	}
	equal(peer.task("hello", ofTask(task.ID)).Status.State, a2a.TaskStateCompleted, "state")
}

func securedCard(peer *peer) {
	card := must(agentcard.DefaultResolver.Resolve(peer.ctx, peer.base))
	wanted := a2a.SecurityRequirementsOptions{{"bearer": {}}}
	equal(card.SecurityRequirements, wanted, "requirements")
}

func extendedCard(peer *peer) {
	card := must(peer.extendedCard())
	equal(skills(card), []string{"echo", "hidden"}, "skills")
	equal(card.SupportedInterfaces, peer.card().SupportedInterfaces, "interfaces")
}

func extension(peer *peer) {
	refused(failed(peer.send(message("hello"))), a2a.ErrExtensionSupportRequired)
	refusedStream(peer, peer.stream(message("hello")), a2a.ErrExtensionSupportRequired)
	params := a2aclient.ServiceParams{a2a.SvcParamExtensions: {"urn:example:Required/v1"}}
	knowing := *peer
	knowing.ctx = a2aclient.AttachServiceParams(peer.ctx, params)
	equal(knowing.task("hello").Status.State, a2a.TaskStateCompleted, "state")
}

func cardNotConfigured(peer *peer) {
	refused(failed(peer.extendedCard()), a2a.ErrExtendedCardNotConfigured)
}

func invalidAgentResponse(peer *peer) {
	refused(failed(peer.send(message("hello"))), a2a.ErrInvalidAgentResponse)
	refusedStream(peer, peer.stream(message("hello")), a2a.ErrInvalidAgentResponse)
}
