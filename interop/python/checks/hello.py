"""The hello example: a first agent, as a newcomer meets it."""

import asyncio
import json

from harness import equal, holds
from peer import kind, message, state, text_of


async def hello_has_a_card(peer):
    card = peer.card
    holds(card.name and card.description and card.version and card.skills, 'the card is filled in', card)
    equal(
        [(i.protocol_binding, i.protocol_version) for i in card.supported_interfaces],
        [('JSONRPC', '1.0'), ('HTTP+JSON', '1.0')],
        'interfaces',
    )
    holds(all(i.url.startswith(peer.base) for i in card.supported_interfaces), 'addresses of its own', card)
    holds(card.capabilities.streaming, 'streaming is declared')


async def hello_prints_where_the_card_is(peer):
    url = f'{peer.base}/.well-known/agent-card.json'
    holds(any(url in line for line in peer.printed), f'{url} is printed', peer.printed)


async def hello_prints_a_command_that_works(peer):
    line = next(line for line in peer.printed if line.startswith('curl '))
    process = await asyncio.create_subprocess_shell(
        line, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await process.communicate()
    equal(process.returncode, 0, f'exit status of {line!r} ({err.decode()})')
    task = json.loads(out)['task']
    equal(task['status']['state'], 'TASK_STATE_COMPLETED', 'state')
    equal(task['artifacts'][0]['parts'], task['history'][0]['parts'], 'what it repeats')


async def hello_repeats_what_it_hears(peer):
    for text in ('Hello!', 'grüß dich ✓'):
        task = await peer.task(message(text))
        equal(state(task), 'COMPLETED', 'state')
        equal([a.artifact_id for a in task.artifacts], ['echo'], 'artifacts')
        equal(text_of(task.artifacts[0].parts), text, 'artifact')
        equal(await peer.get(task.id), task, 'the task, read again')


async def hello_streams(peer):
    events = await peer.events(message('Hello!'))
    equal((kind(events[0]), kind(events[-1])), ('task SUBMITTED', 'status COMPLETED'), 'first and last event')
    artifacts = [e.artifact_update.artifact for e in events if e.HasField('artifact_update')]
    equal([(a.artifact_id, text_of(a.parts)) for a in artifacts], [('echo', 'Hello!')], 'artifacts')


async def hello_lists_its_tasks(peer):
    task = await peer.task(message('Hello!', context_id=f'hello-{peer.binding}'))
    page = await peer.list(context_id=task.context_id, include_artifacts=True)
    equal((list(page.tasks), page.total_size), ([task], 1), 'tasks')


async def hello_refuses_what_it_should(peer):
    task = await peer.task(message('Hello!'))
    await peer.refused('TASK_NOT_FOUND', peer.get('nope'), metadata={'taskId': 'nope'})
    await peer.refused('TASK_NOT_CANCELABLE', peer.cancel(task.id))
    await peer.refused('UNSUPPORTED_OPERATION', peer.send(message('more', task_id=task.id)))
    await peer.refused('UNSUPPORTED_OPERATION', peer.subscribe(task.id))
