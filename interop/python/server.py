#!/usr/bin/env python3
"""An agent on the official Python SDK, which does what the first word of a message's text says.

    server.py [--port N] [--grpc-port N] [--pace SECONDS] [--bare] [--require-extension URI]
              [--auth none|bearer:TOKEN=NAME,...] [--broken]

It follows the commands and options of our `conformance` example as far as the SDK lets it. Prints
`READY http://127.0.0.1:PORT` when it serves; a port of 0 is any free one. With `--grpc-port` it serves
gRPC as well, on a port of its own. With `--broken` it declares an extended card that it has not, and
answers nothing as it should.
"""

import argparse
import asyncio
import contextlib
import socket

import httpx
import uvicorn
from a2a.auth.user import User
from a2a.helpers.proto_helpers import new_task_from_user_message
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers.default_request_handler_v2 import DefaultRequestHandlerV2
from a2a.server.routes import (
    DefaultServerCallContextBuilder,
    create_agent_card_routes,
    create_jsonrpc_routes,
    create_rest_routes,
)
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.types import a2a_pb2 as pb
from a2a.utils.errors import (
    ContentTypeNotSupportedError,
    ExtensionSupportRequiredError,
    InvalidAgentResponseError,
)
from google.protobuf import json_format
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Mount

KINDS = [
    {'text': 'plain text'},
    {'raw': None, 'mediaType': 'application/octet-stream', 'filename': 'bytes.bin'},
    {'url': 'https://example.com/a%20b.png', 'mediaType': 'image/png'},
    {'data': {'n': 1.5, 's': 'ü', 'l': [True, None]}},
]


def part(value):
    """A part from its JSON; a `raw` of nothing stands for all bytes."""
    if value.get('raw', '') is None:
        plain = {name: inner for name, inner in value.items() if name != 'raw'}
        made = json_format.ParseDict(plain, pb.Part())
        made.raw = bytes(range(256))
        return made
    return json_format.ParseDict(value, pb.Part())


class Conformance(AgentExecutor):
    """Obeys the first word."""

    def __init__(self, options):
        self._pace = options.pace
        self._required = options.require_extension
        self._broken = options.broken

    async def execute(self, context, event_queue):
        if self._required and self._required not in context.requested_extensions:
            raise ExtensionSupportRequiredError(message=f'{self._required} must be declared')
        if self._broken:
            raise InvalidAgentResponseError(message='asked to')
        if any(part.media_type == 'application/x-unsupported' for part in context.message.parts):
            raise ContentTypeNotSupportedError(message='only text and data')
        text = context.get_user_input()
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        word, number = [*text.split(), '', ''][:2]
        if word == 'message' and not context.current_task:
            await event_queue.enqueue_event(updater.new_agent_message([part({'text': f'echo: {text}'})]))
            return
        if not context.current_task:
            await event_queue.enqueue_event(new_task_from_user_message(context.message))

        def said(words):
            return updater.new_agent_message([part({'text': words})])

        match word:
            case 'ask':
                await updater.requires_input(said('What else should I know?'))
            case 'auth':
                await updater.requires_auth(said('Who allows this?'))
            case 'reject':
                await updater.reject(said('I would rather not.'))
            case 'fail':
                await updater.start_work()
                await updater.failed(said('It did not work out.'))
            case 'panic':
                await updater.start_work()
                raise RuntimeError('asked to')
            case 'slow':
                await updater.start_work()
                await self._chunks(updater, 3)
                await updater.complete(said('slow done'))
            case 'forever':
                await updater.start_work()
                await self._chunks(updater, None)
            case 'stream' if number.isdigit():
                await updater.start_work()
                await self._stream(updater, int(number))
                await updater.complete()
            case 'kinds':
                await updater.add_artifact([part(value) for value in KINDS], artifact_id='kinds')
                await updater.complete()
            case _:
                await updater.start_work()
                await updater.add_artifact([part({'text': f'echo: {text}'})], artifact_id='echo')
                await updater.complete(said(f'echo: {text}'))

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()

    async def _chunks(self, updater, count):
        number = 0
        while number != count:
            number += 1
            await asyncio.sleep(self._pace)
            await updater.add_artifact(
                [part({'text': f'chunk {number};'})], artifact_id='slow',
                append=number > 1, last_chunk=number == count,
            )

    async def _stream(self, updater, count):
        for number in range(1, count + 1):
            await updater.add_artifact(
                [part({'text': f'chunk {number:08} abcde'})], artifact_id='stream',
                append=number > 1, last_chunk=number == count,
            )


class Named(User):
    """A caller whom a token has told."""

    def __init__(self, name):
        self._name = name

    @property
    def is_authenticated(self):
        return True

    @property
    def user_name(self):
        return self._name


class Bearer:
    """Lets only those with a token through, to everything but the card."""

    def __init__(self, app, tokens):
        self._app = app
        self._tokens = tokens

    async def __call__(self, scope, receive, send):
        if scope['type'] == 'http' and not scope['path'].startswith('/.well-known/'):
            header = dict(scope['headers']).get(b'authorization', b'').decode()
            name = self._tokens.get(header.removeprefix('Bearer '))
            if name is None or not header.startswith('Bearer '):
                body = {'error': {'code': 401, 'status': 'UNAUTHENTICATED', 'message': 'who are you?'}}
                answer = JSONResponse(body, 401, {'WWW-Authenticate': 'Bearer'})
                return await answer(scope, receive, send)
            scope['caller'] = Named(name)
        return await self._app(scope, receive, send)


class Context(DefaultServerCallContextBuilder):
    """Tells the SDK who calls."""

    def build_user(self, request):
        return request.scope.get('caller') or super().build_user(request)


def owner(context):
    """Tasks belong to a caller in a tenant."""
    return f'{context.tenant}/{context.user.user_name}'


def card_of(options, base, grpc_address):
    """The agent's card."""
    interfaces = [
        {'url': f'{base}/jsonrpc', 'protocolBinding': 'JSONRPC', 'protocolVersion': '1.0'},
        {'url': f'{base}/rest', 'protocolBinding': 'HTTP+JSON', 'protocolVersion': '1.0'},
    ]
    if grpc_address:
        interfaces.append({'url': grpc_address, 'protocolBinding': 'GRPC', 'protocolVersion': '1.0'})
    card = {
        'name': 'Conformance (Python)',
        'description': 'Does what the message asks it to',
        'version': '1.0.0',
        'supportedInterfaces': interfaces,
        'capabilities': {
            'streaming': not options.bare,
            'pushNotifications': not options.bare,
            'extendedAgentCard': (bool(options.tokens) or options.broken) and not options.bare,
        },
        'defaultInputModes': ['text/plain', 'application/json'],
        'defaultOutputModes': ['text/plain', 'application/json'],
        'skills': [skill('echo', 'Echo')],
    }
    if options.require_extension:
        card['capabilities']['extensions'] = [{'uri': options.require_extension, 'required': True}]
    if options.tokens:
        card['securitySchemes'] = {'bearer': {'httpAuthSecurityScheme': {'scheme': 'Bearer'}}}
        card['securityRequirements'] = [{'schemes': {'bearer': {}}}]
    return json_format.ParseDict(card, pb.AgentCard())


def skill(id, name):
    return {'id': id, 'name': name, 'description': 'Repeats what it hears', 'tags': [id]}


def tokens(text):
    """`none`, or `bearer:TOKEN=NAME` with more such pairs after commas."""
    if text == 'none':
        return {}
    if not text.startswith('bearer:'):
        raise argparse.ArgumentTypeError('neither none nor bearer:TOKEN=NAME,...')
    return dict(pair.rsplit('=', 1) for pair in text.removeprefix('bearer:').split(','))


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--port', type=int, default=0)
    parser.add_argument('--grpc-port', type=int)
    parser.add_argument('--pace', type=float, default=0.4)
    parser.add_argument('--bare', action='store_true')
    parser.add_argument('--require-extension')
    parser.add_argument('--broken', action='store_true')
    parser.add_argument('--auth', dest='tokens', type=tokens, default={})
    options = parser.parse_args()

    listener = socket.create_server(('127.0.0.1', options.port))
    base = f'http://127.0.0.1:{listener.getsockname()[1]}'
    async with contextlib.AsyncExitStack() as stack:
        grpc_server, grpc_address = None, None
        if options.grpc_port is not None:
            grpc_server = grpc_server_of(options.tokens)
            port = grpc_server.add_insecure_port(f'127.0.0.1:{options.grpc_port}')
            grpc_address = f'127.0.0.1:{port}'
        card = card_of(options, base, grpc_address)
        extended = pb.AgentCard()
        extended.CopyFrom(card)
        extended.skills.append(json_format.ParseDict(skill('hidden', 'Hidden'), pb.AgentSkill()))
        webhooks = InMemoryPushNotificationConfigStore(owner)
        client = await stack.enter_async_context(httpx.AsyncClient())
        handler = DefaultRequestHandlerV2(
            agent_executor=Conformance(options),
            task_store=InMemoryTaskStore(owner),
            agent_card=card,
            push_config_store=webhooks,
            push_sender=BasePushNotificationSender(client, webhooks),
            extended_agent_card=extended if options.tokens else None,
        )
        stack.push_async_callback(handler.aclose)
        app = Starlette(routes=[
            *create_agent_card_routes(card),
            *create_jsonrpc_routes(handler, '/jsonrpc', context_builder=Context()),
            # The SDK puts the tenant in front of a prefix of its own.
            Mount('/rest', routes=create_rest_routes(handler, context_builder=Context())),
        ])
        if options.tokens:
            app = Bearer(app, options.tokens)
        if grpc_server:
            grpc_add(grpc_server, handler, options.tokens)
            await grpc_server.start()
            stack.push_async_callback(grpc_server.stop, 1)
        server = uvicorn.Server(uvicorn.Config(
            app, log_level='warning', lifespan='off', timeout_graceful_shutdown=1,
        ))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        print(f'READY {base}', flush=True)
        await serving


def grpc_server_of(known):
    """A gRPC server that lets only those with a token through, if there are tokens."""
    import grpc  # noqa: PLC0415

    class Guard(grpc.aio.ServerInterceptor):
        async def intercept_service(self, continuation, details):
            rpc = await continuation(details)
            if rpc is None or token(details.invocation_metadata) in known:
                return rpc

            async def refuse(_, context):
                await context.abort(grpc.StatusCode.UNAUTHENTICATED, 'who are you?')

            kind = 'unary_stream' if rpc.response_streaming else 'unary_unary'
            make = getattr(grpc, f'{kind}_rpc_method_handler')
            return make(refuse, rpc.request_deserializer, rpc.response_serializer)

    return grpc.aio.server(interceptors=[Guard()] if known else [])


def grpc_add(server, handler, known):
    """Serves the agent; the metadata tell who calls."""
    from a2a.server.request_handlers.grpc_handler import (  # noqa: PLC0415
        DefaultGrpcServerCallContextBuilder,
        GrpcHandler,
    )
    from a2a.types import a2a_pb2_grpc  # noqa: PLC0415

    class Metadata(DefaultGrpcServerCallContextBuilder):
        def build_user(self, context):
            name = known.get(token(context.invocation_metadata()))
            return Named(name) if name else super().build_user(context)

    a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(handler, Metadata()), server)


def token(metadata):
    """The bearer token of a call."""
    header = dict(metadata or ()).get('authorization', '')
    return header.removeprefix('Bearer ') if header.startswith('Bearer ') else None


if __name__ == '__main__':
    asyncio.run(main())
