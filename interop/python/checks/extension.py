"""The conformance agent with `--require-extension`."""

from a2a.client.service_parameters import ServiceParametersFactory, with_a2a_extensions

from harness import equal
from peer import message, state

URI = 'urn:example:Required/v1'


async def card_declares_the_extension(peer):
    declared = [(e.uri, e.required) for e in peer.card.capabilities.extensions]
    equal(declared, [(URI, True)], 'extensions')


async def send_without_the_extension_is_refused(peer):
    other = ServiceParametersFactory.create([with_a2a_extensions(['urn:example:Required/v2'])])
    for headers in (None, other):
        for call in (peer.send, peer.stream):
            await peer.refused('EXTENSION_SUPPORT_REQUIRED', call(message('hello'), headers=headers))


async def send_with_the_extension_is_answered(peer):
    headers = ServiceParametersFactory.create([with_a2a_extensions([URI, 'urn:example:unknown'])])
    task = await peer.task(message('hello'), headers=headers)
    equal(state(task), 'COMPLETED', 'state')
    equal(peer.last.headers.get('a2a-extensions'), URI, 'activated extensions')
    events = await peer.events(message('hello'), headers=headers)
    equal(len(events), 4, 'events')
    equal(peer.last.headers.get('a2a-extensions'), URI, 'activated extensions of a stream')
    # Only sends need it.
    equal((await peer.get(task.id)).id, task.id, 'the task')
