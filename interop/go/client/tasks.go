package main

import (
	"fmt"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
)

const slow = "chunk 1;chunk 2;chunk 3;"

func card(peer *peer) {
	card := peer.card()
	equal(skills(card), []string{"echo"}, "skills")
	var interfaces []string
	for _, declared := range card.SupportedInterfaces {
		interfaces = append(interfaces, fmt.Sprintf("%s %s", declared.ProtocolBinding, declared.ProtocolVersion))
	}
	equal(interfaces, []string{"JSONRPC 1.0", "HTTP+JSON 1.0", "GRPC 1.0"}, "interfaces")
}

func skills(card *a2a.AgentCard) []string {
	var ids []string
	for _, skill := range card.Skills {
		ids = append(ids, skill.ID)
	}
	return ids
}

func sendBlocking(peer *peer) {
	request := message("hello wörld ✓")
	sent := request.Message
	sent.ID = "go-1"
	sent.Metadata = map[string]any{"k": []any{1, map[string]any{"n": nil}}}
	answer := must(peer.send(request))
	task, found := answer.(*a2a.Task)
	holds(found, "the answer is a task", answer)
	equal(task.Status.State, a2a.TaskStateCompleted, "state")
	equal(textOf(artifact(task, "echo")), "echo: hello wörld ✓", "artifact")
	equal(textOf(task.Status.Message.Parts), "echo: hello wörld ✓", "status message")
	equal(task.Status.Message.Role, a2a.MessageRoleAgent, "role of the status message")
	sent.TaskID, sent.ContextID = task.ID, task.ContextID
	equal(task.History, []*a2a.Message{sent}, "history")
	equal(peer.get(task.ID), task, "the task afterwards")
}

func sendImmediate(peer *peer) {
	task := peer.task("slow", immediately)
	state := task.Status.State
	holds(state == a2a.TaskStateSubmitted || state == a2a.TaskStateWorking, "the task is not done", state)
	equal(textOf(artifact(peer.until(task.ID, a2a.TaskStateCompleted), "slow")), slow, "artifact")
}

func stream(peer *peer) {
	events := all(peer.stream(message("slow")))
	wanted := []string{
		"task SUBMITTED", "statusUpdate WORKING", "artifact", "append", "append", "statusUpdate COMPLETED",
	}
	equal(steady(events), wanted, "events")
	equal(chunksOf(events), slow, "chunks")
	holds(events[len(events)-2].(*a2a.TaskArtifactUpdateEvent).LastChunk, "the last chunk is marked")
	equal(textOf(artifact(peer.get(events[0].TaskInfo().TaskID), "slow")), slow, "artifact")
}

func streamBurst(peer *peer) {
	events := all(peer.stream(message("stream 500")))
	kinds := steady(events)
	var whole strings.Builder
	for number := 1; number <= 500; number++ {
		fmt.Fprintf(&whole, "chunk %08d abcde", number)
	}
	equal(chunksOf(events), whole.String(), "chunks")
	equal(kinds[len(kinds)-1], "statusUpdate COMPLETED", "the last event")
}

func subscribe(peer *peer) {
	var id a2a.TaskID
	for event, err := range peer.stream(message("forever")) {
		id = must(event, err).TaskInfo().TaskID
		if kindOf(event) == "artifact" {
			break
		}
	}
	// That stream was dropped; the task goes on.
	var events []a2a.Event
	for event, err := range peer.subscribe(id) {
		events = append(events, must(event, err))
		if len(events) == 3 {
			equal(must(peer.cancel(id)).Status.State, a2a.TaskStateCanceled, "state after the cancel")
		}
	}
	kinds := steady(events)
	equal(kinds[0], "task WORKING", "the first event")
	equal(kinds[len(kinds)-1], "statusUpdate CANCELED", "the last event")
	text := textOf(artifact(events[0].(*a2a.Task), "slow")) + chunksOf(events)
	var wanted strings.Builder
	for number := range strings.Count(text, ";") {
		fmt.Fprintf(&wanted, "chunk %d;", number+1)
	}
	equal(text, wanted.String(), "chunks")
	equal(textOf(artifact(peer.get(id), "slow")), text, "artifact afterwards")
}

func history(peer *peer) {
	asked := peer.task("ask")
	whole := peer.task("hello", ofTask(asked.ID), inContext(asked.ContextID)).History
	var said []string
	for _, message := range whole {
		said = append(said, string(message.Role)+" "+textOf(message.Parts))
	}
	equal(said, []string{"ROLE_USER ask", "ROLE_AGENT What else should I know?", "ROLE_USER hello"}, "history")
	for length, wanted := range map[int][]*a2a.Message{-1: whole, 0: {}, 1: whole[2:], 100: whole} {
		var limit *int
		if length >= 0 {
			limit = &length
		}
		what := fmt.Sprintf("history of length %d", length)
		request := &a2a.GetTaskRequest{ID: asked.ID, HistoryLength: limit}
		equal(messages(must(call(peer, (*a2aclient.Client).GetTask, request))), wanted, what)
		page := peer.list(&a2a.ListTasksRequest{ContextID: asked.ContextID, HistoryLength: limit, PageSize: 10})
		equal(messages(page.Tasks[0]), wanted, "listed "+what)
	}
}

// messages are the history, empty when there is none.
func messages(task *a2a.Task) []*a2a.Message {
	return append([]*a2a.Message{}, task.History...)
}

func list(peer *peer) {
	context := a2a.NewContextID()
	var made []*a2a.Task
	for _, text := range []string{"one", "two", "three", "ask"} {
		made = append(made, peer.task(text, inContext(context)))
	}
	request := a2a.ListTasksRequest{ContextID: context, PageSize: 3}
	first := peer.list(&request)
	equal([]int{len(first.Tasks), first.TotalSize, first.PageSize}, []int{3, 4, 3}, "sizes of the first page")
	request.PageToken = first.NextPageToken
	second := peer.list(&request)
	equal(second.NextPageToken, "", "the last page has no token")
	found := append(first.Tasks, second.Tasks...)
	equal(sortedIDs(found), sortedIDs(made), "tasks of all pages")
	for _, task := range found {
		holds(len(task.Artifacts) == 0, "no artifacts unless they are asked for", task)
	}
	some := peer.list(&a2a.ListTasksRequest{
		ContextID: context, Status: a2a.TaskStateCompleted, IncludeArtifacts: true, PageSize: 10,
	})
	equal(sortedIDs(some.Tasks), sortedIDs(made[:3]), "completed tasks")
	for _, task := range some.Tasks {
		holds(len(task.Artifacts) == 1, "artifacts, when they are asked for", task)
	}
}

// defaultPage lists without a page size, which is not the page size 0.
func defaultPage(peer *peer) {
	task := peer.task("hello")
	page := peer.list(&a2a.ListTasksRequest{ContextID: task.ContextID})
	equal(sortedIDs(page.Tasks), []a2a.TaskID{task.ID}, "tasks")
}

func cancel(peer *peer) {
	task := peer.task("forever", immediately)
	canceled := must(peer.cancel(task.ID))
	equal(canceled.ID, task.ID, "id")
	equal(canceled.Status.State, a2a.TaskStateCanceled, "state after the cancel")
	equal(peer.get(task.ID).Status.State, a2a.TaskStateCanceled, "state afterwards")
}

func cancelTwice(peer *peer) {
	task := peer.task("ask")
	must(peer.cancel(task.ID))
	refused(failed(peer.cancel(task.ID)), a2a.ErrTaskNotCancelable)
}

func followUp(peer *peer) {
	for _, streams := range []bool{false, true} {
		asked := peer.task("ask")
		equal(asked.Status.State, a2a.TaskStateInputRequired, "state")
		request := message("hello", ofTask(asked.ID), inContext(asked.ContextID))
		if streams {
			events := all(peer.stream(request))
			equal(kindOf(events[len(events)-1]), "statusUpdate COMPLETED", "the last event")
		} else {
			task, _ := must(peer.send(request)).(*a2a.Task)
			holds(task != nil && task.ID == asked.ID, "the same task")
			equal(task.Status.State, a2a.TaskStateCompleted, "state after the answer")
		}
		equal(textOf(artifact(peer.get(asked.ID), "echo")), "echo: hello", "artifact")
	}
	events := all(peer.stream(message("ask")))
	equal(kindOf(events[len(events)-1]), "statusUpdate INPUT_REQUIRED", "the last event")
}

func authRequired(peer *peer) {
	task := peer.task("auth")
	equal(task.Status.State, a2a.TaskStateAuthRequired, "state")
	done := peer.task("hello", ofTask(task.ID))
	equal(done.ID, task.ID, "id")
	equal(done.Status.State, a2a.TaskStateCompleted, "state after the answer")
}
