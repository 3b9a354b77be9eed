package main

import (
	"context"
	"net/http"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// The key of the caller's name in a context.
type callerKey struct{}

// guard lets only those with a token through, if there are tokens.
func guard(tokens map[string]string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		ctx, known := caller(request.Context(), tokens, request.Header["Authorization"])
		if !known {
			writer.Header().Set("WWW-Authenticate", "Bearer")
			writer.Header().Set("Content-Type", "application/json")
			writer.WriteHeader(http.StatusUnauthorized)
			_, _ = writer.Write([]byte(`{"error":{"code":401,"status":"UNAUTHENTICATED","message":"who are you?"}}`))
			return
		}
		next.ServeHTTP(writer, request.WithContext(ctx))
	})
}

// grpcServerOf makes a server that does the same for gRPC.
func grpcServerOf(tokens map[string]string) *grpc.Server {
	admit := func(ctx context.Context) (context.Context, error) {
		incoming, _ := metadata.FromIncomingContext(ctx)
		ctx, known := caller(ctx, tokens, incoming["authorization"])
		if !known {
			return nil, status.Error(codes.Unauthenticated, "who are you?")
		}
		return ctx, nil
	}
	unary := func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		ctx, err := admit(ctx)
		if err != nil {
			return nil, err
		}
		return next(ctx, request)
	}
	stream := func(server any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
		ctx, err := admit(stream.Context())
		if err != nil {
			return err
		}
		return next(server, &admitted{stream, ctx})
	}
	return grpc.NewServer(grpc.UnaryInterceptor(unary), grpc.StreamInterceptor(stream))
}

// admitted is a stream whose context tells the caller.
type admitted struct {
	grpc.ServerStream
	ctx context.Context
}

func (stream *admitted) Context() context.Context { return stream.ctx }

// caller is who a bearer token tells; nobody has to have one when there are none.
func caller(ctx context.Context, tokens map[string]string, headers []string) (context.Context, bool) {
	if tokens == nil {
		return ctx, true
	}
	if len(headers) != 1 {
		return ctx, false
	}
	token, found := strings.CutPrefix(headers[0], "Bearer ")
	if !found {
		return ctx, false
	}
	name, known := tokens[token]
	return context.WithValue(ctx, callerKey{}, name), known
}

// callers tells the SDK who calls. It lists no tasks for those without a name.
type callers struct {
	a2asrv.PassthroughCallInterceptor
}

func (callers) Before(ctx context.Context, call *a2asrv.CallContext, _ *a2asrv.Request) (context.Context, any, error) {
	name, known := ctx.Value(callerKey{}).(string)
	if !known {
		name = "anonymous"
	}
	call.User = a2asrv.NewAuthenticatedUser(name, nil)
	return ctx, nil, nil
}
