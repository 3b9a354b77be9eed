package main

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	a2agrpc "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// peer is our agent over one binding.
type peer struct {
	a2aclient.PassthroughInterceptor
	ctx     context.Context
	base    string
	binding a2a.TransportProtocol
	token   string
	// Set, it is claimed to be the version of the client.
	version string
	// Set, it changes the card before the client sees it.
	claims func(*a2a.AgentCard)
}

// Before is called for each request: what every call carries.
func (peer *peer) Before(ctx context.Context, request *a2aclient.Request) (context.Context, any, error) {
	if peer.token != "" {
		request.ServiceParams["authorization"] = []string{"Bearer " + peer.token}
	}
	if peer.version != "" {
		request.ServiceParams[a2a.SvcParamVersion] = []string{peer.version}
	}
	return ctx, nil, nil
}

func (peer peer) as(token string) *peer {
	peer.token = token
	return &peer
}

func (peer peer) claiming(claims func(*a2a.AgentCard)) *peer {
	peer.claims = claims
	return &peer
}

// The client does not read the form that the protocol gives to securityRequirements: that is what
// `secured_card` shows, and the others do without them.
var resolver = &agentcard.Resolver{CardParser: func(body []byte) (*a2a.AgentCard, error) {
	var members map[string]any
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, err
	}
	delete(members, "securityRequirements")
	return agentcard.DefaultCardParser([]byte(plain(members)))
}}

func (peer *peer) card() *a2a.AgentCard {
	return must(resolver.Resolve(peer.ctx, peer.base))
}

func (peer *peer) client() *a2aclient.Client {
	card := peer.card()
	if peer.claims != nil {
		peer.claims(card)
	}
	transport := map[a2a.TransportProtocol]a2aclient.FactoryOption{
		a2a.TransportProtocolJSONRPC:  a2aclient.WithJSONRPCTransport(&http.Client{}),
		a2a.TransportProtocolHTTPJSON: a2aclient.WithRESTTransport(&http.Client{}),
		a2a.TransportProtocolGRPC: a2agrpc.WithGRPCTransport(
			grpc.WithTransportCredentials(insecure.NewCredentials()),
		),
	}[peer.binding]
	return must(a2aclient.NewFromCard(
		peer.ctx, card, a2aclient.WithDefaultsDisabled(), transport, a2aclient.WithCallInterceptors(peer),
	))
}

// call makes one call with a client of its own.
func call[Q, A any](peer *peer, method func(*a2aclient.Client, context.Context, Q) (A, error), request Q) (A, error) {
	client := peer.client()
	defer func() { _ = client.Destroy() }()
	return method(client, peer.ctx, request)
}

// message is the request of a send.
func message(text string, settings ...func(*a2a.SendMessageRequest)) *a2a.SendMessageRequest {
	sent := a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart(text))
	request := &a2a.SendMessageRequest{Message: sent, Config: &a2a.SendMessageConfig{}}
	for _, set := range settings {
		set(request)
	}
	return request
}

func ofTask(id a2a.TaskID) func(*a2a.SendMessageRequest) {
	return func(request *a2a.SendMessageRequest) { request.Message.TaskID = id }
}

func inContext(id string) func(*a2a.SendMessageRequest) {
	return func(request *a2a.SendMessageRequest) { request.Message.ContextID = id }
}

func withParts(parts ...*a2a.Part) func(*a2a.SendMessageRequest) {
	return func(request *a2a.SendMessageRequest) { request.Message.Parts = parts }
}

func immediately(request *a2a.SendMessageRequest) {
	request.Config.ReturnImmediately = true
}

func (peer *peer) send(request *a2a.SendMessageRequest) (a2a.SendMessageResult, error) {
	return call(peer, (*a2aclient.Client).SendMessage, request)
}

// task is the answer to a message that makes or continues one.
func (peer *peer) task(text string, settings ...func(*a2a.SendMessageRequest)) *a2a.Task {
	answer := must(peer.send(message(text, settings...)))
	task, found := answer.(*a2a.Task)
	holds(found, "the answer is a task", answer)
	return task
}

func (peer *peer) get(id a2a.TaskID) *a2a.Task {
	return must(call(peer, (*a2aclient.Client).GetTask, &a2a.GetTaskRequest{ID: id}))
}

func (peer *peer) list(request *a2a.ListTasksRequest) *a2a.ListTasksResponse {
	return must(call(peer, (*a2aclient.Client).ListTasks, request))
}

func (peer *peer) cancel(id a2a.TaskID) (*a2a.Task, error) {
	return call(peer, (*a2aclient.Client).CancelTask, &a2a.CancelTaskRequest{ID: id})
}

func (peer *peer) extendedCard() (*a2a.AgentCard, error) {
	return call(peer, (*a2aclient.Client).GetExtendedAgentCard, &a2a.GetExtendedAgentCardRequest{})
}

func (peer *peer) stream(request *a2a.SendMessageRequest) iter.Seq2[a2a.Event, error] {
	return events(peer, (*a2aclient.Client).SendStreamingMessage, request)
}

func (peer *peer) subscribe(id a2a.TaskID) iter.Seq2[a2a.Event, error] {
	return events(peer, (*a2aclient.Client).SubscribeToTask, &a2a.SubscribeToTaskRequest{ID: id})
}

func events[Q any](
	peer *peer, method func(*a2aclient.Client, context.Context, Q) iter.Seq2[a2a.Event, error], request Q,
) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		client := peer.client()
		defer func() { _ = client.Destroy() }()
		for event, err := range method(client, peer.ctx, request) {
			if !yield(event, err) {
				return
			}
		}
	}
}

// all are the events of a stream that ends as it should.
func all(events iter.Seq2[a2a.Event, error]) []a2a.Event {
	var found []a2a.Event
	for event, err := range events {
		found = append(found, must(event, err))
	}
	return found
}

// failure is what a stream fails with.
func failure(events iter.Seq2[a2a.Event, error]) error {
	for event, err := range events {
		if err != nil {
			return err
		}
		holds(false, "an error, but there was", a2a.StreamResponse{Event: event})
	}
	return nil
}

// failed is what a call fails with.
func failed[T any](_ T, err error) error { return err }

// refused holds when a call failed with this kind of error.
func refused(err, kind error) *a2a.Error {
	holds(err != nil, "expected an error: "+kind.Error())
	holds(errors.Is(err, kind), "expected the error "+kind.Error(), err.Error())
	var known *a2a.Error
	holds(errors.As(err, &known), "it is an error of the protocol", err.Error())
	holds(known.Message != "", "the error has a message")
	return known
}

// refusedStream holds when a stream failed with this kind of error. Over JSON-RPC the client ends such
// a stream without a word: that is what `stream_errors` shows, and the others do without it.
func refusedStream(peer *peer, events iter.Seq2[a2a.Event, error], kind error) {
	if peer.binding != a2a.TransportProtocolJSONRPC {
		refused(failure(events), kind)
	}
}

func (peer *peer) until(id a2a.TaskID, wanted a2a.TaskState) *a2a.Task {
	for {
		if task := peer.get(id); task.Status.State == wanted {
			return task
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// kindOf is what an event is, in short.
func kindOf(event a2a.Event) string {
	switch event := event.(type) {
	case *a2a.Task:
		return "task " + short(event.Status.State)
	case *a2a.TaskStatusUpdateEvent:
		return "statusUpdate " + short(event.Status.State)
	case *a2a.TaskArtifactUpdateEvent:
		if event.Append {
			return "append"
		}
		return "artifact"
	}
	return "message"
}

func short(state a2a.TaskState) string {
	return strings.TrimPrefix(string(state), "TASK_STATE_")
}

// steady are the kinds of the events of one task, which comes first.
func steady(events []a2a.Event) []string {
	holds(len(events) > 0, "there are events")
	first, found := events[0].(*a2a.Task)
	holds(found, "the task comes first")
	var kinds []string
	for _, event := range events {
		equal(event.TaskInfo(), first.TaskInfo(), "ids of an event")
		kinds = append(kinds, kindOf(event))
	}
	return kinds
}

func textOf(parts a2a.ContentParts) string {
	var text strings.Builder
	for _, part := range parts {
		_, found := part.Content.(a2a.Text)
		holds(found, "only text parts", parts)
		text.WriteString(part.Text())
	}
	return text.String()
}

// artifact are the parts of the only artifact.
func artifact(task *a2a.Task, id a2a.ArtifactID) a2a.ContentParts {
	holds(len(task.Artifacts) == 1 && task.Artifacts[0].ID == id, "the artifact "+string(id), task.Artifacts)
	return task.Artifacts[0].Parts
}

// chunksOf is the text of all artifact updates.
func chunksOf(events []a2a.Event) string {
	var parts a2a.ContentParts
	for _, event := range events {
		if update, found := event.(*a2a.TaskArtifactUpdateEvent); found {
			parts = append(parts, update.Artifact.Parts...)
		}
	}
	return textOf(parts)
}

func sortedIDs(tasks []*a2a.Task) []a2a.TaskID {
	var ids []a2a.TaskID
	for _, task := range tasks {
		ids = append(ids, task.ID)
	}
	slices.Sort(ids)
	return ids
}
