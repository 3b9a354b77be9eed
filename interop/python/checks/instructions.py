"""Instructions of the interop kit to the conformance agent; the agents that it calls are itself."""

import asyncio
import base64

from a2a.types import a2a_pb2 as pb

from checks.push import _until_completed, receiver
from checks.sending import agent_said, steady
from harness import equal, holds
from instruction import call, part, say, steps
from peer import kind, message, state, text_of

TRANSPORTS = ('jsonrpc', 'http_json', 'grpc')
FINISHED = 'task-finished'


def _told(instruction):
    return message(parts=[part(instruction)])


async def _fails(peer, *parts):
    task = await peer.task(message(parts=parts))
    equal(state(task), 'FAILED', 'state')
    agent_said(task)


async def results_are_joined_by_newlines(peer):
    task = await peer.task(_told(steps(say('one'), steps(say('two'), say('three')))))
    equal(state(task), 'COMPLETED', 'state')
    agent_said(task, 'one\ntwo\nthree')
    events = await peer.events(_told(say('one')))
    equal(steady(events), ['task SUBMITTED', 'status WORKING', 'status COMPLETED'], 'events')
    agent_said(events[-1].status_update, 'one')


async def instruction_is_found_by_its_type_or_its_name(peer):
    raw = say('found')
    text = base64.b64encode(raw).decode()
    for found in (
        pb.Part(raw=raw, media_type='application/x-protobuf'),
        pb.Part(raw=raw, filename='instruction.bin'),
        pb.Part(text=text, filename='instruction.bin'),
        pb.Part(text=text, media_type='application/x-protobuf'),
    ):
        task = await peer.task(message(parts=[pb.Part(text='message to nobody'), found]))
        agent_said(task, 'found')


async def instruction_that_cannot_be_read_fails(peer):
    for bad in (b'\xff', b'', b'\x0a\x7f'):
        await _fails(peer, part(bad))
    await _fails(peer, pb.Part(text='?', filename='instruction.bin'))
    await _fails(peer, pb.Part(url='https://example.com/', filename='instruction.bin'))


async def agents_are_called_over_every_binding(peer):
    for transport in TRANSPORTS:
        for streaming in (False, True):
            inner = steps(say('here'), call(peer.base, 'jsonrpc', say('far')))
            outer = steps(say('start'), call(peer.base, transport, inner, streaming=streaming))
            task = await peer.task(_told(outer))
            equal(state(task), 'COMPLETED', f'state, over {transport}')
            agent_said(task, 'start\nhere\nfar')


async def failed_step_fails_the_task(peer):
    for bad in (
        call('http://127.0.0.1:9', 'jsonrpc', say('x')),
        call(peer.base, 'pigeon', say('x')),
    ):
        await _fails(peer, part(steps(say('start'), bad)))


async def called_agent_notifies_the_receiver(peer):
    for transport in TRANSPORTS:
        async with receiver('/in/notifications') as (url, seen):
            base = url.removesuffix('/notifications')
            task = await peer.task(_told(call(peer.base, transport, say('pushed'), push=base)))
            agent_said(task, 'pushed')
            found = await _until_completed(seen)
            equal(
                [kind(event) for _, event in found],
                ['task SUBMITTED', 'status WORKING', 'status COMPLETED'], f'notifications, over {transport}',
            )
            tokens = {headers.get('x-a2a-notification-token') for headers, _ in found}
            equal(tokens, {'itk-token'}, 'tokens')


async def held_task_is_resubscribed_and_canceled(peer):
    for transport in TRANSPORTS:
        held = steps(say('one', hold=True), say('two'))
        task = await peer.task(_told(call(peer.base, transport, held, streaming=True, resubscribe=True)))
        equal(state(task), 'COMPLETED', f'state, over {transport}')
        agent_said(task, 'one\ntwo\n')
        page = await peer.list(status=pb.TASK_STATE_CANCELED, page_size=1, include_artifacts=True)
        equal(text_of(page.tasks[0].history[-1].parts), f'one\ntwo\n{FINISHED}', 'what the canceled task said')


async def held_task_says_so_and_completes(peer):
    events = await peer.events(_told(say('kept', hold=True)))
    equal(steady(events), ['task SUBMITTED', *['status WORKING'] * 7, 'status COMPLETED'], 'events')
    agent_said(events[2].status_update, f'kept\n{FINISHED}')
    agent_said(events[-1].status_update, f'kept\n{FINISHED}')
    for event in events[3:8]:
        holds(not event.status_update.status.HasField('message'), 'a bare update', event)


async def held_task_can_be_canceled(peer):
    begun = await peer.task(_told(say('kept', hold=True)), return_immediately=True)
    async with asyncio.timeout(10):
        while not (await peer.get(begun.id)).status.HasField('message'):
            await asyncio.sleep(0.02)
    equal(state(await peer.cancel(begun.id)), 'CANCELED', 'state')
