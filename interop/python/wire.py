"""What must hold for every exchange, whatever the check that caused it is about."""

import json
import re

from a2a.types import a2a_pb2 as pb
from google.protobuf import json_format
from google.protobuf.empty_pb2 import Empty

from harness import equal, holds

JSON_RPC = 'JSONRPC'
HTTP_JSON = 'HTTP+JSON'
GRPC = 'GRPC'

ANSWERS = {
    'SendMessage': pb.SendMessageResponse,
    'SendStreamingMessage': pb.StreamResponse,
    'GetTask': pb.Task,
    'ListTasks': pb.ListTasksResponse,
    'CancelTask': pb.Task,
    'SubscribeToTask': pb.StreamResponse,
    'CreateTaskPushNotificationConfig': pb.TaskPushNotificationConfig,
    'GetTaskPushNotificationConfig': pb.TaskPushNotificationConfig,
    'ListTaskPushNotificationConfigs': pb.ListTaskPushNotificationConfigsResponse,
    'DeleteTaskPushNotificationConfig': Empty,
    'GetExtendedAgentCard': pb.AgentCard,
}

ROUTES = [
    ('POST', r'/message:send$', 'SendMessage'),
    ('POST', r'/message:stream$', 'SendStreamingMessage'),
    ('POST', r'/tasks/[^/]+:cancel$', 'CancelTask'),
    ('POST', r'/tasks/[^/]+:subscribe$', 'SubscribeToTask'),
    ('GET', r'/tasks/[^/]+/pushNotificationConfigs/[^/]+$', 'GetTaskPushNotificationConfig'),
    ('DELETE', r'/tasks/[^/]+/pushNotificationConfigs/[^/]+$', 'DeleteTaskPushNotificationConfig'),
    ('POST', r'/tasks/[^/]+/pushNotificationConfigs$', 'CreateTaskPushNotificationConfig'),
    ('GET', r'/tasks/[^/]+/pushNotificationConfigs$', 'ListTaskPushNotificationConfigs'),
    ('GET', r'/tasks/[^/]+$', 'GetTask'),
    ('GET', r'/tasks$', 'ListTasks'),
    ('GET', r'/extendedAgentCard$', 'GetExtendedAgentCard'),
]

TIMESTAMP = re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z')


def verify(binding, exchange):
    """Envelope, media type, schema, presence and timestamps of one answer."""
    if exchange.status is None:
        return
    if binding == JSON_RPC:
        _verify_json_rpc(exchange)
    else:
        _verify_http_json(exchange)


def _verify_json_rpc(exchange):
    call = json.loads(exchange.sent)
    if exchange.status in (401, 403):
        return
    equal(exchange.status, 200, f'HTTP status of {call["method"]}')
    if exchange.is_stream:
        envelopes = [data for _, _, data in exchange.events()]
        _verify_ids(exchange)
    else:
        equal(exchange.media_type, 'application/json', 'media type')
        envelopes = [exchange.json()]
    for envelope in envelopes:
        equal(envelope.get('jsonrpc'), '2.0', '`jsonrpc`')
        equal(envelope.get('id'), call['id'], '`id`')
        holds(('result' in envelope) != ('error' in envelope), 'one of `result` and `error`', envelope)
        holds(set(envelope) <= {'jsonrpc', 'id', 'result', 'error'}, 'no other members', envelope)
        if 'result' in envelope:
            _verify_answer(call['method'], envelope['result'])


def _verify_http_json(exchange):
    method = exchange.request.method
    path = exchange.request.url.path
    operation = next((o for verb, route, o in ROUTES if verb == method and re.search(route, path)), None)
    holds(operation, f'{method} {path} is a route of the protocol')
    if exchange.is_stream:
        equal(exchange.status, 200, 'HTTP status of a stream')
        _verify_ids(exchange)
        for name, _, data in exchange.events():
            if name != 'error':
                _verify_answer(operation, data)
    elif exchange.status == 200:
        # The client sends `application/json` with a body and no preference without one.
        mirrored = 'application/json' if exchange.sent else 'application/a2a+json'
        equal(exchange.media_type, mirrored, f'media type of {operation}')
        _verify_answer(operation, exchange.json())
    else:
        equal(exchange.media_type, 'application/json', f'media type of an error of {operation}')


def _verify_ids(exchange):
    """A task's events carry their place in the log, each later than the one before."""
    ids = [id for _, id, data in exchange.events() if 'message' not in data.get('result', data)]
    holds(all(id is not None and id.isdigit() for id in ids), 'every event has a numeric id', ids)
    numbers = [int(id) for id in ids]
    holds(all(a < b for a, b in zip(numbers, numbers[1:], strict=False)), 'event ids grow', numbers)


def _verify_answer(operation, answer):
    # Refuses members outside the schema and values of the wrong type.
    json_format.ParseDict(answer, ANSWERS[operation]())
    if operation == 'ListTasks':
        equal(set(answer), {'tasks', 'nextPageToken', 'pageSize', 'totalSize'}, 'members of a page')
    _verify_values(answer, '')


def _verify_values(value, path):
    """Names, presence and timestamps everywhere but in what users put in."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            _verify_values(item, f'{path}[{index}]')
        return
    if not isinstance(value, dict):
        return
    for name, inner in value.items():
        here = f'{path}.{name}'
        if name in ('metadata', 'data', 'params', 'header', 'securitySchemes', 'schemes'):
            continue
        holds('_' not in name, f'{here}: names are camelCase')
        holds(inner is not None, f'{here}: nothing is written as null')
        if name == 'timestamp':
            holds(TIMESTAMP.fullmatch(inner), f'{here}: UTC with milliseconds', inner)
        _verify_values(inner, here)
    if 'history' in value:
        holds(value['history'], f'{path}.history: left out when empty')
    if 'state' in value:
        holds(value.get('timestamp'), f'{path}: every status is dated')
