"""The agent card of the conformance agent with its default options."""

from harness import equal, holds
from peer import JSON_RPC


async def card_tells_what_is_served(peer):
    card = peer.card
    equal(
        [(i.protocol_binding, i.url, i.protocol_version, i.tenant) for i in card.supported_interfaces],
        [
            ('JSONRPC', f'{peer.base}/jsonrpc', '1.0', ''),
            ('HTTP+JSON', f'{peer.base}/rest', '1.0', ''),
            ('GRPC', peer.base.removeprefix('http://'), '1.0', ''),
        ],
        'interfaces',
    )
    equal(list(card.default_input_modes), ['text/plain', 'application/json'], 'input modes')
    holds(card.default_output_modes, 'output modes are given')
    equal([skill.id for skill in card.skills], ['echo'], 'skills')
    holds(card.name and card.description and card.version, 'name, description and version are given')
    holds(card.capabilities.streaming, 'streaming is declared')
    holds(card.capabilities.push_notifications, 'push notifications are declared')
    holds(not card.capabilities.extended_agent_card, 'an extended card is not declared')
    equal(len(card.security_schemes), 0, 'security schemes')


async def card_is_cacheable(peer):
    url = f'{peer.base}/.well-known/agent-card.json'
    first = await peer.http.get(url)
    equal(first.status_code, 200, 'HTTP status')
    equal(first.headers['content-type'].split(';')[0], 'application/json', 'media type')
    holds('max-age' in first.headers.get('cache-control', ''), 'Cache-Control has an age', dict(first.headers))
    tag = first.headers.get('etag')
    holds(tag, 'there is an ETag')
    again = await peer.http.get(url, headers={'If-None-Match': tag})
    equal((again.status_code, again.content), (304, b''), 'answer to the known ETag')
    equal(again.headers.get('etag'), tag, 'ETag of the short answer')
    head = await peer.http.head(url)
    equal((head.status_code, head.content), (200, b''), 'answer to HEAD')
    peer.begin()  # none of these is a call of the protocol


async def extended_card_is_refused_when_not_declared(peer):
    await peer.refused('UNSUPPORTED_OPERATION', peer.extended_card(claims=('extended_agent_card',)))


async def malformed_calls_are_told_apart(peer):
    """What no official client sends."""
    headers = {'content-type': 'application/json', 'a2a-version': '1.0'}

    async def answer(url, content, **more):
        response = await peer.http.post(url, content=content, headers={**headers, **more})
        return response.status_code, response.json()

    if peer.binding == JSON_RPC:
        url = f'{peer.base}/jsonrpc'
        for content, code, id in [
            ('{"jsonrpc": "2.0", "id": 7, "method": "NoSuchMethod", "params": {}}', -32601, 7),
            ('{"jsonrpc": "2.0", "id": "a", "method": "message/send", "params": {}}', -32601, 'a'),
            ('{"jsonrpc": "2.0", "id": 8, "method":', -32700, None),
            ('{"jsonrpc": "1.0", "id": 9, "method": "GetTask", "params": {"id": "x"}}', -32600, 9),
            ('{"jsonrpc": "2.0", "id": 10, "params": {"id": "x"}}', -32600, 10),
            ('[]', -32600, None),
        ]:
            status, body = await answer(url, content)
            equal((status, body['id'], body['error']['code']), (200, id, code), f'answer to {content}')
        slash = await peer.http.post(
            url + '/', content='{"jsonrpc": "2.0", "id": 1, "method": "ListTasks"}', headers=headers
        )
        equal((slash.status_code, 'result' in slash.json()), (200, True), 'answer with a trailing slash')
    else:
        status, body = await answer(f'{peer.base}/rest/message:send', '{"message":')
        equal((status, body['error']['status']), (400, 'INVALID_ARGUMENT'), 'answer to half a body')
        status, body = await answer(f'{peer.base}/rest/message:send', 'hello', **{'content-type': 'text/plain'})
        equal(status, 415, 'answer to a text')
        response = await peer.http.get(f'{peer.base}/rest/message:send', headers=headers)
        equal(response.status_code, 405, 'answer to the wrong verb')
        response = await peer.http.get(f'{peer.base}/rest/nothing/here', headers=headers)
        equal(response.status_code, 404, 'answer to an unknown route')
        for verb in ('GET', 'POST'):
            response = await peer.http.request(verb, f'{peer.base}/rest/tasks/nope:subscribe', headers=headers)
            equal(response.status_code, 404, f'{verb} of a subscription to an unknown task')
    peer.begin()
