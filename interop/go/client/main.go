// The official Go client drives our conformance agent and looks closely at the answers.
//
//	client --base URL [--run RUN] [--token TOKEN] [--only REGEX]
//
// The agent must have been started with the options of the run (`../../matrix/runs.py`). One line a
// check, `ok BINDING/SCENARIO` or `FAIL BINDING/SCENARIO REASON`; the exit status is 1 when one failed.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"os"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
)

const seconds = 60

type scenario struct {
	name string
	run  func(*peer)
}

// The scenarios by run.
var scenarios = map[string][]scenario{
	"default": {
		{"card", card},
		{"send_blocking", sendBlocking},
		{"send_immediate", sendImmediate},
		{"stream", stream},
		{"stream_burst", streamBurst},
		{"subscribe", subscribe},
		{"history", history},
		{"list", list},
		{"default_page", defaultPage},
		{"cancel", cancel},
		{"cancel_twice", cancelTwice},
		{"follow_up", followUp},
		{"auth_required", authRequired},
		{"direct_message", directMessage},
		{"kinds", kinds},
		{"null_data", nullData},
		{"large", large},
		{"states", states},
		{"push_configs", pushConfigs},
		{"push_delivery", pushDelivery},
		{"errors", errorKinds},
		{"stream_errors", streamErrors},
		{"content_type", contentType},
		{"invalid", invalid},
		{"tenant", tenant},
		{"version", version},
	},
	"bare":      {{"capabilities", capabilities}},
	"auth":      {{"credentials", credentials}, {"secured_card", securedCard}, {"extended_card", extendedCard}},
	"extension": {{"extension", extension}},
	"broken":    {{"card_not_configured", cardNotConfigured}, {"invalid_agent_response", invalidAgentResponse}},
}

func main() {
	base := flag.String("base", "", "")
	run := flag.String("run", "default", "")
	token := flag.String("token", "", "")
	only := flag.String("only", "", "")
	flag.Parse()
	found, known := scenarios[*run]
	if !known {
		log.Fatalf("no such run: %s", *run)
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		log.Fatal(err)
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))

	failed := false
	bindings := []a2a.TransportProtocol{
		a2a.TransportProtocolJSONRPC, a2a.TransportProtocolHTTPJSON, a2a.TransportProtocolGRPC,
	}
	for _, binding := range bindings {
		for _, scenario := range found {
			cell := string(binding) + "/" + scenario.name
			if !wanted.MatchString(cell) {
				continue
			}
			if reason := check(scenario, *base, binding, *token); reason != "" {
				failed = true
				fmt.Printf("FAIL %s %s\n", cell, strings.ReplaceAll(reason, "\n", " | "))
			} else {
				fmt.Printf("ok %s\n", cell)
			}
		}
	}
	if failed {
		os.Exit(1)
	}
}

// check runs a scenario, which panics when it does not hold, and tells why.
func check(scenario scenario, base string, binding a2a.TransportProtocol, token string) (reason string) {
	ctx, stop := context.WithTimeout(context.Background(), seconds*time.Second)
	defer stop()
	defer func() {
		if failure := recover(); failure != nil {
			reason = fmt.Sprint(failure)
		}
	}()
	scenario.run(&peer{ctx: ctx, base: base, binding: binding, token: token})
	return ""
}

// holds ends the scenario unless the condition does.
func holds(condition bool, what string, got ...any) {
	if !condition {
		panic(fmt.Sprintf("%s %s", what, plain(got)))
	}
}

// equal compares two values by their JSON.
func equal(actual, expected any, what string) {
	if !reflect.DeepEqual(decoded(actual), decoded(expected)) {
		panic(fmt.Sprintf("%s: expected %s, got %s", what, plain(expected), plain(actual)))
	}
}

func decoded(value any) (result any) {
	if err := json.Unmarshal([]byte(plain(value)), &result); err != nil {
		panic(err)
	}
	return result
}

func plain(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// must is the result of a call that has to work.
func must[T any](result T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("unexpected error: %v", err))
	}
	return result
}
