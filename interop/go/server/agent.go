package main

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
)

// conformance obeys the first word.
type conformance struct {
	pace   time.Duration
	broken bool
}

// Execute implements a2asrv.AgentExecutor.
func (agent *conformance) Execute(ctx context.Context, request *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		run := &run{ctx: ctx, request: request, pace: agent.pace, yield: yield}
		if agent.broken {
			// Nothing but a task or a message may come first.
			run.status(a2a.TaskStateWorking, "")
			return
		}
		for _, part := range request.Message.Parts {
			if part.MediaType == "application/x-unsupported" {
				yield(nil, fmt.Errorf("only text and data: %w", a2a.ErrUnsupportedContentType))
				return
			}
		}
		run.obey()
	}
}

// Cancel implements a2asrv.AgentExecutor.
func (agent *conformance) Cancel(_ context.Context, request *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		yield(a2a.NewStatusUpdateEvent(request, a2a.TaskStateCanceled, nil), nil)
	}
}

// run is one turn of a task. Its steps say whether there may be more of them.
type run struct {
	ctx     context.Context
	request *a2asrv.ExecutorContext
	pace    time.Duration
	yield   func(a2a.Event, error) bool
}

func (run *run) obey() bool {
	text := textOf(run.request.Message)
	words := append(strings.Fields(text), "", "")
	if words[0] == "message" && run.request.StoredTask == nil {
		return run.yield(a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("echo: "+text)), nil)
	}
	if run.request.StoredTask == nil {
		if !run.yield(a2a.NewSubmittedTask(run.request, run.request.Message), nil) {
			return false
		}
	}
	switch words[0] {
	case "ask":
		return run.status(a2a.TaskStateInputRequired, "What else should I know?")
	case "auth":
		return run.status(a2a.TaskStateAuthRequired, "Who allows this?")
	case "reject":
		return run.status(a2a.TaskStateRejected, "I would rather not.")
	case "fail":
		return run.status(a2a.TaskStateWorking, "") && run.status(a2a.TaskStateFailed, "It did not work out.")
	case "panic":
		run.status(a2a.TaskStateWorking, "")
		panic("asked to")
	case "slow":
		return run.status(a2a.TaskStateWorking, "") && run.chunks(3) &&
			run.status(a2a.TaskStateCompleted, "slow done")
	case "forever":
		return run.status(a2a.TaskStateWorking, "") && run.chunks(-1)
	case "kinds":
		return run.artifact("kinds", 1, 1, kinds()...) && run.status(a2a.TaskStateCompleted, "")
	case "stream":
		if count, err := strconv.Atoi(words[1]); err == nil {
			return run.status(a2a.TaskStateWorking, "") && run.stream(count) &&
				run.status(a2a.TaskStateCompleted, "")
		}
	}
	echo := "echo: " + text
	return run.status(a2a.TaskStateWorking, "") && run.artifact("echo", 1, 0, a2a.NewTextPart(echo)) &&
		run.status(a2a.TaskStateCompleted, echo)
}

func (run *run) status(state a2a.TaskState, text string) bool {
	var message *a2a.Message
	if text != "" {
		message = a2a.NewMessageForTask(a2a.MessageRoleAgent, run.request, a2a.NewTextPart(text))
	}
	return run.yield(a2a.NewStatusUpdateEvent(run.request, state, message), nil)
}

// artifact sends one of a number of chunks.
func (run *run) artifact(id a2a.ArtifactID, number, count int, parts ...*a2a.Part) bool {
	event := a2a.NewArtifactUpdateEvent(run.request, id, parts...)
	event.Append = number > 1
	event.LastChunk = number == count
	return run.yield(event, nil)
}

func (run *run) chunks(count int) bool {
	for number := 1; number != count+1; number++ {
		select {
		case <-run.ctx.Done():
			return false
		case <-time.After(run.pace):
		}
		if !run.artifact("slow", number, count, a2a.NewTextPart(fmt.Sprintf("chunk %d;", number))) {
			return false
		}
	}
	return true
}

func (run *run) stream(count int) bool {
	for number := 1; number <= count; number++ {
		if !run.artifact("stream", number, count, a2a.NewTextPart(fmt.Sprintf("chunk %08d abcde", number))) {
			return false
		}
	}
	return true
}

func kinds() []*a2a.Part {
	bytes := make([]byte, 256)
	for at := range bytes {
		bytes[at] = byte(at)
	}
	raw := a2a.NewRawPart(bytes)
	raw.MediaType, raw.Filename = "application/octet-stream", "bytes.bin"
	return []*a2a.Part{
		a2a.NewTextPart("plain text"),
		raw,
		a2a.NewFileURLPart("https://example.com/a%20b.png", "image/png"),
		a2a.NewDataPart(map[string]any{"n": 1.5, "s": "ü", "l": []any{true, nil}}),
	}
}

func textOf(message *a2a.Message) string {
	var texts []string
	for _, part := range message.Parts {
		if text, found := part.Content.(a2a.Text); found {
			texts = append(texts, string(text))
		}
	}
	return strings.Join(texts, "\n")
}
