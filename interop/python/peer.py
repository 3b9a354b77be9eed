"""The official client, pinned to one binding, and what the checks ask it."""

import asyncio
import time
import uuid

import grpc
import httpx
from a2a.client import A2ACardResolver, ClientCallContext, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientError
from a2a.types import a2a_pb2 as pb
from a2a.types import a2a_pb2_grpc
from a2a.utils import errors
from a2a.utils.grpc_status import status_from_call
from google.protobuf import json_format
from google.protobuf.struct_pb2 import Struct, Value
from google.rpc import error_details_pb2

from harness import Broken, Recorder, equal, holds
from wire import GRPC, HTTP_JSON, JSON_RPC, verify

# kind: class in the client, JSON-RPC code, HTTP status, canonical name, whether ErrorInfo travels
KINDS = {
    'TASK_NOT_FOUND': (errors.TaskNotFoundError, -32001, 404, 'NOT_FOUND', True),
    'TASK_NOT_CANCELABLE': (errors.TaskNotCancelableError, -32002, 400, 'FAILED_PRECONDITION', True),
    'PUSH_NOTIFICATION_NOT_SUPPORTED': (
        errors.PushNotificationNotSupportedError, -32003, 400, 'FAILED_PRECONDITION', True),
    'UNSUPPORTED_OPERATION': (errors.UnsupportedOperationError, -32004, 400, 'FAILED_PRECONDITION', True),
    'CONTENT_TYPE_NOT_SUPPORTED': (errors.ContentTypeNotSupportedError, -32005, 400, 'INVALID_ARGUMENT', True),
    'INVALID_AGENT_RESPONSE': (errors.InvalidAgentResponseError, -32006, 500, 'INTERNAL', True),
    'EXTENDED_AGENT_CARD_NOT_CONFIGURED': (
        errors.ExtendedAgentCardNotConfiguredError, -32007, 400, 'FAILED_PRECONDITION', True),
    'EXTENSION_SUPPORT_REQUIRED': (errors.ExtensionSupportRequiredError, -32008, 400, 'FAILED_PRECONDITION', True),
    'VERSION_NOT_SUPPORTED': (errors.VersionNotSupportedError, -32009, 400, 'FAILED_PRECONDITION', True),
    'INVALID_PARAMS': (errors.InvalidParamsError, -32602, 400, 'INVALID_ARGUMENT', False),
    'UNAUTHENTICATED': (A2AClientError, -31401, 401, 'UNAUTHENTICATED', False),
}


def message(text=None, *, parts=None, id=None, **fields):
    """A user's message."""
    if parts is None:
        parts = [pb.Part(text=text)]
    return pb.Message(message_id=id or str(uuid.uuid4()), role=pb.ROLE_USER, parts=parts, **fields)


def struct(value):
    """A JSON object as protobuf has it."""
    return json_format.ParseDict(value, Struct())


def data(value):
    """A JSON value as a part."""
    return pb.Part(data=json_format.ParseDict(value, Value()))


def state(task_or_event):
    """The name of a state, without its prefix."""
    return pb.TaskState.Name(task_or_event.status.state).removeprefix('TASK_STATE_')


def kind(event):
    """What a stream event is, in a word: `task WORKING`, `status FAILED`, `artifact echo`, `message`."""
    which = event.WhichOneof('payload')
    if which == 'task':
        return f'task {state(event.task)}'
    if which == 'status_update':
        return f'status {state(event.status_update)}'
    if which == 'artifact_update':
        return f'artifact {event.artifact_update.artifact.artifact_id}'
    return which


def text_of(parts):
    """The texts of some parts, all of which are text."""
    holds(all(part.WhichOneof('content') == 'text' for part in parts), 'only text parts', list(parts))
    return ''.join(part.text for part in parts)


class Peer:
    """One agent over one binding, by the official client."""

    def __init__(self, base, binding, *, headers=None, interceptors=None):
        self.base = base
        self.binding = binding
        self.recorder = Recorder()
        self.http = httpx.AsyncClient(transport=self.recorder, timeout=30, headers=headers)
        self.card = None
        self.printed = []  # what the server wrote to its standard output
        self.interceptors = interceptors or []
        self._clients = {}
        self._channels = []
        self._answer = None

    async def __aenter__(self):
        self.card = await A2ACardResolver(self.http, self.base).get_agent_card()
        return self

    async def __aexit__(self, *_):
        for channel in self._channels:
            await channel.close()
        await self.http.aclose()

    def begin(self):
        """Forgets what travelled before."""
        self.recorder.exchanges.clear()

    def verify(self):
        """Checks all that travelled since; over gRPC the client has read every byte itself."""
        if self.binding == GRPC:
            return
        for exchange in self.recorder.exchanges:
            verify(self.binding, exchange)

    @property
    def last(self):
        """The newest exchange."""
        return self.recorder.exchanges[-1]

    def result(self):
        """The newest answer as JSON, out of its envelope."""
        if self.binding == GRPC:
            return json_format.MessageToDict(self._answer)
        body = self.last.json()
        return body['result'] if self.binding == JSON_RPC else body

    def client(self, *, streaming, claims=()):
        """The client; `claims` makes it believe in capabilities that the card does not declare."""
        key = (streaming, claims)
        if key not in self._clients:
            self._clients[key] = self._create(streaming, claims)
        return self._clients[key]

    def _create(self, streaming, claims):
        card = pb.AgentCard()
        card.CopyFrom(self.card)
        for claim in claims:
            setattr(card.capabilities, claim, True)
        config = ClientConfig(
            streaming=streaming,
            httpx_client=self.http,
            supported_protocol_bindings=[self.binding],
            grpc_channel_factory=self._channel,
        )
        return ClientFactory(config).create(card, self.interceptors)

    def _channel(self, address):
        limits = [(f'grpc.max_{way}_message_length', -1) for way in ('receive', 'send')]
        channel = grpc.aio.insecure_channel(address, options=limits)
        self._channels.append(channel)
        return channel

    def stub(self):
        """The calls of gRPC as they are, without the client around them."""
        [url] = [i.url for i in self.card.supported_interfaces if i.protocol_binding == GRPC]
        return a2a_pb2_grpc.A2AServiceStub(self._channel(url))

    def _keep(self, answer):
        self._answer = answer
        return answer

    async def send(self, sent, *, headers=None, metadata=None, tenant='', **configuration):
        """SendMessage: a Task or a Message."""
        request = pb.SendMessageRequest(
            tenant=tenant,
            message=sent,
            configuration=pb.SendMessageConfiguration(**configuration),
            metadata=metadata,
        )
        client = self.client(streaming=False)
        answers = [answer async for answer in client.send_message(request, context=_context(headers))]
        equal(len(answers), 1, 'number of answers')
        answer = getattr(answers[0], answers[0].WhichOneof('payload'))
        self._keep(pb.SendMessageResponse(**{answers[0].WhichOneof('payload'): answer}))
        return answer

    async def task(self, sent, **options):
        """SendMessage answered with a Task."""
        answer = await self.send(sent, **options)
        holds(isinstance(answer, pb.Task), 'the answer is a task', answer)
        return answer

    async def start(self, sent, *wanted):
        """A task that is left running, once it is in one of the wanted states."""
        begun = await self.task(sent, return_immediately=True)
        return await self.until(begun.id, *wanted)

    async def until(self, id, *wanted):
        """Polls a task to one of some states."""
        while True:
            task = await self.get(id)
            if state(task) in wanted:
                return task
            await asyncio.sleep(0.02)

    def stream(self, sent, *, headers=None, claims=(), **configuration):
        """SendStreamingMessage: the events as they come."""
        request = pb.SendMessageRequest(
            message=sent, configuration=pb.SendMessageConfiguration(**configuration)
        )
        client = self.client(streaming=True, claims=claims)
        return client.send_message(request, context=_context(headers))

    async def events(self, sent, **options):
        """SendStreamingMessage to its end."""
        return [event async for event in self.stream(sent, **options)]

    def subscribe(self, id, *, headers=None, claims=(), **fields):
        """SubscribeToTask: the events as they come."""
        client = self.client(streaming=True, claims=claims)
        return client.subscribe(pb.SubscribeToTaskRequest(id=id, **fields), context=_context(headers))

    async def get(self, id, **fields):
        """GetTask."""
        return self._keep(await self.client(streaming=False).get_task(pb.GetTaskRequest(id=id, **fields)))

    async def list(self, **fields):
        """ListTasks."""
        return self._keep(await self.client(streaming=False).list_tasks(pb.ListTasksRequest(**fields)))

    async def cancel(self, id, **fields):
        """CancelTask."""
        return await self.client(streaming=False).cancel_task(pb.CancelTaskRequest(id=id, **fields))

    async def extended_card(self, *, claims=()):
        """GetExtendedAgentCard."""
        # A client of its own each time: it takes the card that it gets for its own.
        client = self._create(streaming=False, claims=claims)
        return await client.get_extended_agent_card(pb.GetExtendedAgentCardRequest())

    async def refused(self, wanted, call, *, fields=None, metadata=None):
        """The call fails with this kind of error: for the client, and on the wire."""
        known, *_, informed = KINDS[wanted]
        before = len(self.recorder.exchanges)
        try:
            if hasattr(call, '__aiter__'):
                got = [event async for event in call]
            else:
                got = await call
        except errors.A2AError as error:
            raised = error
        else:
            raise Broken(f'expected {wanted}, got an answer: {got}')
        if self.binding == GRPC:
            _verify_status(raised, wanted, fields, metadata)
            return None
        exchanges = self.recorder.exchanges[before:]
        equal(len(exchanges), 1, 'requests made')
        # Over HTTP+JSON the client knows a kind by ErrorInfo alone, which only A2A errors carry.
        if self.binding == HTTP_JSON and not informed:
            known = A2AClientError
        equal(type(raised).__name__, known.__name__, f'error in the client ({raised})')
        holds(not exchanges[0].is_stream, 'a refusal is no stream')
        _verify_error(self.binding, exchanges[0], wanted, fields, metadata)
        return exchanges[0]


def _verify_error(binding, exchange, wanted, fields, metadata):
    _, code, status, name, informed = KINDS[wanted]
    body = exchange.json()
    if binding == JSON_RPC:
        equal(exchange.status, status if status in (401, 403) else 200, 'HTTP status')
        error = body['error']
        equal(error['code'], code, 'error code')
        details = error.get('data', [])
        equal(set(error) - {'data'}, {'code', 'message'}, 'members of the error')
    else:
        equal(exchange.status, status, 'HTTP status')
        equal(set(body), {'error'}, 'members of the body')
        error = body['error']
        equal((error['code'], error['status']), (status, name), 'error code and status')
        details = error.get('details', [])
    holds(error['message'], 'the error has a message')
    infos = [d for d in details if d['@type'] == 'type.googleapis.com/google.rpc.ErrorInfo']
    if informed:
        equal([(i['reason'], i['domain']) for i in infos], [(wanted, 'a2a-protocol.org')], 'ErrorInfo')
        for key, value in (metadata or {}).items():
            equal(infos[0].get('metadata', {}).get(key), value, f'ErrorInfo metadata {key}')
    else:
        equal(infos, [], 'ErrorInfo')
    if fields is not None:
        requests = [d for d in details if d['@type'] == 'type.googleapis.com/google.rpc.BadRequest']
        equal(len(requests), 1, 'number of BadRequest details')
        named = sorted(v['field'] for v in requests[0]['fieldViolations'])
        equal(named, sorted(fields), 'fields found wrong')
        holds(all(v.get('description') for v in requests[0]['fieldViolations']), 'each says why', requests)


def _verify_status(raised, wanted, fields, metadata):
    """The error in the client, and the status that it was made of (A2A §10.6)."""
    known, _, _, name, informed = KINDS[wanted]
    # That client knows a kind by ErrorInfo alone, which only A2A errors carry.
    known = known if informed else A2AClientError
    equal(type(raised).__name__, known.__name__, f'error in the client ({raised})')
    call = raised.__cause__
    equal(call.code().name, name, 'status')
    holds(call.details(), 'the status has a message')
    status = status_from_call(call)
    infos, requests = [], []
    for detail in status.details if status else []:
        for found, kind in ((infos, error_details_pb2.ErrorInfo), (requests, error_details_pb2.BadRequest)):
            if detail.Is(kind.DESCRIPTOR):
                found.append(kind.FromString(detail.value))
    if status:
        equal((status.code, status.message), (call.code().value[0], call.details()), 'the status in the details')
    wanted_infos = [(wanted, 'a2a-protocol.org')] if informed else []
    equal([(info.reason, info.domain) for info in infos], wanted_infos, 'ErrorInfo')
    for key, value in (metadata or {}).items():
        equal(infos[0].metadata.get(key), value, f'ErrorInfo metadata {key}')
    if fields is not None:
        equal(len(requests), 1, 'number of BadRequest details')
        equal(sorted(v.field for v in requests[0].field_violations), sorted(fields), 'fields found wrong')


def _context(headers):
    return ClientCallContext(service_parameters=headers) if headers else None


async def timed(events):
    """The events of a stream, each with the moment it came."""
    return [(time.monotonic(), event) async for event in events]


def fold(events):
    """A task as its events tell it: the snapshot, then what changed it."""
    task = pb.Task()
    task.CopyFrom(events[0].task)
    for event in events[1:]:
        if event.HasField('status_update'):
            task.status.CopyFrom(event.status_update.status)
        else:
            update = event.artifact_update
            known = [a for a in task.artifacts if a.artifact_id == update.artifact.artifact_id]
            if not known:
                holds(not update.append, 'no append to an unknown artifact', event)
                task.artifacts.add().CopyFrom(update.artifact)
            elif update.append:
                known[0].parts.extend(update.artifact.parts)
            else:
                known[0].CopyFrom(update.artifact)
    return task
