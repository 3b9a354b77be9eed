package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
)

func pushConfigs(peer *peer) {
	task := peer.task("ask").ID
	config := &a2a.PushConfig{TaskID: task, ID: "hook", URL: "http://127.0.0.1:9/hook", Token: "secret"}
	made := must(call(peer, (*a2aclient.Client).CreateTaskPushConfig, config))
	equal([]any{made.ID, made.TaskID, made.URL}, []any{"hook", task, config.URL}, "the new configuration")
	other := *config
	other.ID = "other"
	must(call(peer, (*a2aclient.Client).CreateTaskPushConfig, &other))
	get := &a2a.GetTaskPushConfigRequest{TaskID: task, ID: "hook"}
	equal(must(call(peer, (*a2aclient.Client).GetTaskPushConfig, get)).URL, config.URL, "the configuration")
	equal(configIDs(peer, task), []string{"hook", "other"}, "configurations")
	client := peer.client()
	defer func() { _ = client.Destroy() }()
	for range 2 {
		err := client.DeleteTaskPushConfig(peer.ctx, &a2a.DeleteTaskPushConfigRequest{TaskID: task, ID: "hook"})
		holds(err == nil, "it is deleted, also when it is gone", err)
	}
	equal(configIDs(peer, task), []string{"other"}, "configurations after the delete")
}

func configIDs(peer *peer, task a2a.TaskID) []string {
	request := &a2a.ListTaskPushConfigRequest{TaskID: task}
	var ids []string
	for _, config := range must(call(peer, (*a2aclient.Client).ListTaskPushConfigs, request)) {
		ids = append(ids, config.ID)
	}
	slices.Sort(ids)
	return ids
}

type notification struct {
	token string
	event a2a.StreamResponse
	err   error
}

func pushDelivery(peer *peer) {
	seen := make(chan notification, 100)
	hook := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		got := notification{token: request.Header.Get("X-A2A-Notification-Token")}
		got.err = json.NewDecoder(request.Body).Decode(&got.event)
		seen <- got
	}))
	defer hook.Close()
	peer.task("slow", func(request *a2a.SendMessageRequest) {
		request.Config.PushConfig = &a2a.PushConfig{ID: "hook", URL: hook.URL + "/hook", Token: "secret"}
	})
	var events []a2a.Event
	for len(events) == 0 || kindOf(events[len(events)-1]) != "statusUpdate COMPLETED" {
		select {
		case got := <-seen:
			holds(got.err == nil, "each notification is an event", got.err)
			equal(got.token, "secret", "each notification has the token")
			events = append(events, got.event.Event)
		case <-peer.ctx.Done():
			holds(false, "the last notification comes, after", len(events))
		}
	}
	equal(chunksOf(events), slow, "chunks")
}
