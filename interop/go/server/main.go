// An agent on the official Go SDK, which does what the first word of a message's text says.
//
//	server [--port N] [--grpc-port N] [--pace SECONDS] [--bare] [--require-extension URI]
//	       [--auth none|bearer:TOKEN=NAME,...] [--broken]
//
// It follows the commands and options of our `conformance` example as far as the SDK lets it. Prints
// `READY http://127.0.0.1:PORT` when it serves; a port of 0 is any free one. With `--grpc-port` it
// serves gRPC as well, on a port of its own. With `--broken` it declares an extended card that it has
// not, and answers nothing as it should.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	a2agrpc "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/push"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"
)

type options struct {
	port, grpcPort int
	pace           float64
	bare, broken   bool
	extension      string
	// The name of the caller for each token; everybody may call when it is nil.
	tokens map[string]string
}

func main() {
	var known options
	auth := flag.String("auth", "none", "")
	flag.IntVar(&known.port, "port", 0, "")
	flag.IntVar(&known.grpcPort, "grpc-port", -1, "")
	flag.Float64Var(&known.pace, "pace", 0.4, "")
	flag.BoolVar(&known.bare, "bare", false, "")
	flag.BoolVar(&known.broken, "broken", false, "")
	flag.StringVar(&known.extension, "require-extension", "", "")
	flag.Parse()
	var err error
	if known.tokens, err = tokensOf(*auth); err != nil {
		log.Fatal(err)
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))

	listener := listen(known.port)
	base := "http://" + listener.Addr().String()
	var grpcListener net.Listener
	if known.grpcPort >= 0 {
		grpcListener = listen(known.grpcPort)
	}
	card := cardOf(&known, base, grpcListener)
	handler := handlerOf(&known, card)
	if grpcListener != nil {
		server := grpcServerOf(known.tokens)
		a2agrpc.NewHandler(handler).RegisterWith(server)
		go func() { log.Fatal(server.Serve(grpcListener)) }()
	}
	go func() { log.Fatal(http.Serve(listener, routes(&known, card, handler))) }()
	fmt.Println("READY " + base)

	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	<-ended
}

func listen(port int) net.Listener {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		log.Fatal(err)
	}
	return listener
}

// tokensOf reads `none`, or `bearer:TOKEN=NAME` with more such pairs after commas.
func tokensOf(text string) (map[string]string, error) {
	if text == "none" {
		return nil, nil
	}
	pairs, found := strings.CutPrefix(text, "bearer:")
	if !found {
		return nil, fmt.Errorf("--auth: neither none nor bearer:TOKEN=NAME,...")
	}
	tokens := map[string]string{}
	for pair := range strings.SplitSeq(pairs, ",") {
		at := strings.LastIndex(pair, "=")
		if at < 0 {
			return nil, fmt.Errorf("--auth: %q has no name", pair)
		}
		tokens[pair[:at]] = pair[at+1:]
	}
	return tokens, nil
}

func cardOf(known *options, base string, grpcListener net.Listener) *a2a.AgentCard {
	interfaces := []*a2a.AgentInterface{
		a2a.NewAgentInterface(base+"/jsonrpc", a2a.TransportProtocolJSONRPC),
		a2a.NewAgentInterface(base+"/rest", a2a.TransportProtocolHTTPJSON),
	}
	if grpcListener != nil {
		address := grpcListener.Addr().String()
		interfaces = append(interfaces, a2a.NewAgentInterface(address, a2a.TransportProtocolGRPC))
	}
	card := &a2a.AgentCard{
		Name:                "Conformance (Go)",
		Description:         "Does what the message asks it to",
		Version:             "1.0.0",
		SupportedInterfaces: interfaces,
		Capabilities: a2a.AgentCapabilities{
			Streaming:         !known.bare,
			PushNotifications: !known.bare,
			ExtendedAgentCard: (known.tokens != nil || known.broken) && !known.bare,
		},
		DefaultInputModes:  []string{"text/plain", "application/json"},
		DefaultOutputModes: []string{"text/plain", "application/json"},
		Skills:             []a2a.AgentSkill{skill("echo", "Echo")},
	}
	if known.extension != "" {
		card.Capabilities.Extensions = []a2a.AgentExtension{{URI: known.extension, Required: true}}
	}
	if known.tokens != nil {
		card.SecuritySchemes = a2a.NamedSecuritySchemes{"bearer": a2a.HTTPAuthSecurityScheme{Scheme: "Bearer"}}
		card.SecurityRequirements = a2a.SecurityRequirementsOptions{{"bearer": {}}}
	}
	return card
}

func skill(id, name string) a2a.AgentSkill {
	return a2a.AgentSkill{ID: id, Name: name, Description: "Repeats what it hears", Tags: []string{id}}
}

func handlerOf(known *options, card *a2a.AgentCard) a2asrv.RequestHandler {
	settings := []a2asrv.RequestHandlerOption{
		a2asrv.WithCapabilityChecks(&card.Capabilities),
		a2asrv.WithCallInterceptors(callers{}),
		a2asrv.WithTaskStore(taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{Authenticator: owner})),
	}
	if !known.bare {
		sender := push.NewHTTPPushSender(&push.HTTPSenderConfig{AllowPrivateNetworks: true})
		settings = append(settings, a2asrv.WithPushNotifications(push.NewInMemoryStore(), sender))
	}
	if known.tokens != nil {
		extended := *card
		extended.Skills = append(append([]a2a.AgentSkill{}, card.Skills...), skill("hidden", "Hidden"))
		settings = append(settings, a2asrv.WithExtendedAgentCard(&extended))
	}
	pace := time.Duration(known.pace * float64(time.Second))
	return a2asrv.NewHandler(&conformance{pace: pace, broken: known.broken}, settings...)
}

// owner has tasks belong to a caller in a tenant.
func owner(ctx context.Context) (string, error) {
	call, found := a2asrv.CallContextFrom(ctx)
	if !found {
		return "", a2a.ErrUnauthenticated
	}
	return call.Tenant() + "/" + call.User.Name, nil
}

func routes(known *options, card *a2a.AgentCard, handler a2asrv.RequestHandler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/jsonrpc", a2asrv.NewJSONRPCHandler(handler))
	mux.Handle("/rest/", http.StripPrefix("/rest", rest(handler)))
	guarded := guard(known.tokens, mux)
	all := http.NewServeMux()
	all.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(card))
	all.Handle("/", guarded)
	return all
}

// rest tells a path that begins with a tenant from one that does not; the SDK has a handler for each.
func rest(handler a2asrv.RequestHandler) http.Handler {
	plain, tenants := a2asrv.NewRESTHandler(handler), a2asrv.NewTenantRESTHandler("/{*}", handler)
	return http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		first, _, _ := strings.Cut(strings.TrimPrefix(request.URL.Path, "/"), "/")
		switch first {
		case "message:send", "message:stream", "tasks", "extendedAgentCard":
			plain.ServeHTTP(writer, request)
		default:
			tenants.ServeHTTP(writer, request)
		}
	})
}
