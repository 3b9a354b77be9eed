"""SendMessage and SendStreamingMessage to the conformance agent."""

import base64
import time

from a2a.types import a2a_pb2 as pb
from google.protobuf import json_format

from harness import equal, holds
from peer import JSON_RPC, data, kind, message, state, struct, text_of, timed

PACE = 0.2  # seconds; the agent is started with it


def artifact_of(task, id):
    """The one artifact that the task has."""
    equal([artifact.artifact_id for artifact in task.artifacts], [id], 'artifacts')
    return task.artifacts[0]


def stored(sent, task):
    """A sent message as the history of the task should have it."""
    kept = pb.Message()
    kept.CopyFrom(sent)
    kept.task_id, kept.context_id = task.id, task.context_id
    return kept


def agent_said(task_or_event, text=None):
    """The status message is the agent's own, of this task, and (if given) says exactly that."""
    said = task_or_event.status.message
    task = task_or_event.id if isinstance(task_or_event, pb.Task) else task_or_event.task_id
    equal(said.role, pb.ROLE_AGENT, 'role of the status message')
    equal((said.task_id, said.context_id), (task, task_or_event.context_id), 'ids of the status message')
    holds(said.message_id, 'the status message has an id')
    if text is None:
        holds(text_of(said.parts), 'the status message says something', said)
    else:
        equal(text_of(said.parts), text, 'status message')


def steady(events):
    """The kinds of the events, all of which are of the task that comes first."""
    task = events[0].task
    for event in events[1:]:
        inner = getattr(event, event.WhichOneof('payload'))
        equal((inner.task_id, inner.context_id), (task.id, task.context_id), 'ids of an event')
    return [kind(event) for event in events]


async def blocking_send_answers_the_finished_task(peer):
    sent = message('hello wörld ✓')
    task = await peer.task(sent)
    equal(state(task), 'COMPLETED', 'state')
    equal(text_of(artifact_of(task, 'echo').parts), 'echo: hello wörld ✓', 'artifact')
    agent_said(task, 'echo: hello wörld ✓')
    holds(task.id and task.context_id, 'the task has ids', task)
    equal(list(task.history), [stored(sent, task)], 'history')


async def each_send_makes_a_task(peer):
    first, second = await peer.task(message('a')), await peer.task(message('a'))
    holds(first.id != second.id, 'two sends, two tasks')
    holds(first.context_id != second.context_id, 'two sends, two contexts')


async def context_of_the_client_is_kept(peer):
    first = await peer.task(message('a', context_id='a context / of mine'))
    equal(first.context_id, 'a context / of mine', 'context')
    second = await peer.task(message('b', context_id=first.context_id))
    holds(second.id != first.id, 'a context alone begins a new task')
    equal(second.context_id, first.context_id, 'context')


async def immediate_send_answers_before_the_work(peer):
    sent = message('slow one')
    begun = await peer.task(sent, return_immediately=True)
    holds(state(begun) in ('SUBMITTED', 'WORKING'), 'the work goes on', begun)
    equal(list(begun.history), [stored(sent, begun)], 'history')
    done = await peer.until(begun.id, 'COMPLETED')
    equal([p.text for p in artifact_of(done, 'slow').parts], ['chunk 1;', 'chunk 2;', 'chunk 3;'], 'parts')
    agent_said(done, 'slow done')


async def blocking_send_waits_for_all_of_it(peer):
    begun = time.monotonic()
    task = await peer.task(message('slow two'))
    holds(time.monotonic() - begun > 2.9 * PACE, 'it took as long as the work')
    equal(state(task), 'COMPLETED', 'state')
    equal(text_of(artifact_of(task, 'slow').parts), 'chunk 1;chunk 2;chunk 3;', 'artifact')


async def send_keeps_to_the_history_length(peer):
    none = await peer.task(message('hello'), history_length=0)
    equal(len(none.history), 0, 'messages at 0')
    holds('history' not in peer.result()['task'], 'no `history` member at 0')
    one = await peer.task(message('hello'), history_length=1)
    full = await peer.get(one.id)
    equal(list(one.history), list(full.history)[-1:], 'messages at 1')


async def stream_has_every_step_in_order(peer):
    sent = message('hello')
    events = await peer.events(sent)
    equal(
        steady(events),
        ['task SUBMITTED', 'status WORKING', 'artifact echo', 'status COMPLETED'],
        'events',
    )
    task, _, artifact, last = events
    equal(list(task.task.history), [stored(sent, task.task)], 'history of the first event')
    equal(len(task.task.artifacts), 0, 'artifacts of the first event')
    holds(not artifact.artifact_update.append, 'the artifact is new')
    equal(text_of(artifact.artifact_update.artifact.parts), 'echo: hello', 'artifact')
    agent_said(last.status_update, 'echo: hello')


async def stream_ends_as_the_task_does(peer):
    events = await peer.events(message('hello again'))
    task = await peer.get(events[0].task.id)
    equal(state(task), 'COMPLETED', 'state')
    equal(task.status, events[-1].status_update.status, 'status')
    equal(list(task.artifacts), [events[2].artifact_update.artifact], 'artifacts')


async def stream_brings_progress_at_once(peer):
    events = await timed(peer.stream(message('slow three')))
    equal(
        steady([event for _, event in events]),
        ['task SUBMITTED', 'status WORKING', *['artifact slow'] * 3, 'status COMPLETED'],
        'events',
    )
    chunks = [event.artifact_update for _, event in events[2:5]]
    equal([text_of(c.artifact.parts) for c in chunks], ['chunk 1;', 'chunk 2;', 'chunk 3;'], 'chunks')
    equal([c.append for c in chunks], [False, True, True], '`append` of the chunks')
    equal([c.last_chunk for c in chunks], [False, False, True], '`lastChunk` of the chunks')
    agent_said(events[5][1].status_update, 'slow done')
    holds(events[4][0] - events[2][0] > PACE, 'the first chunk came before the last was made')


async def stream_of_many_chunks_is_whole(peer):
    events = await peer.events(message('stream 500'))
    equal(
        steady(events),
        ['task SUBMITTED', 'status WORKING', *['artifact stream'] * 500, 'status COMPLETED'],
        'events',
    )
    chunks = [event.artifact_update for event in events[2:-1]]
    equal([c.append for c in chunks], [False] + [True] * 499, '`append` of the chunks')
    equal([c.last_chunk for c in chunks], [False] * 499 + [True], '`lastChunk` of the chunks')
    texts = [text_of(c.artifact.parts) for c in chunks]
    equal(len(set(texts)), 500, 'different chunks')
    holds(all(10 <= len(text) <= 40 for text in texts), 'chunks of about 20 bytes', texts[:2])
    task = await peer.get(events[0].task.id)
    equal([part.text for part in artifact_of(task, 'stream').parts], texts, 'parts of the artifact')


async def kinds_come_byte_for_byte(peer):
    task = await peer.task(message('kinds please'))
    raw = peer.result()['task']['artifacts'][0]
    equal(raw['artifactId'], 'kinds', 'artifact')
    expected = [
        {'text': 'plain text'},
        {
            'raw': base64.b64encode(bytes(range(256))).decode(),
            'filename': 'bytes.bin',
            'mediaType': 'application/octet-stream',
        },
        {'url': 'https://example.com/a%20b.png', 'mediaType': 'image/png'},
        {'data': {'n': 1.5, 's': 'ü', 'l': [True, None]}},
    ]
    equal(raw['parts'], expected, 'parts')
    equal(artifact_of(task, 'kinds').parts[1].raw, bytes(range(256)), 'bytes')
    events = await peer.events(message('kinds please'))
    equal(steady(events), ['task SUBMITTED', 'artifact kinds', 'status COMPLETED'], 'events')
    equal(events[1].artifact_update.artifact, task.artifacts[0], 'artifact on a stream')


async def every_part_of_the_user_is_kept(peer):
    anything = {'n': -0.25, 'b': True, 'none': None, 'l': [[], {}, 'ü "\\ \u2028'], 'o': {'a_b': {'': 1}}}
    parts = [
        pb.Part(text='hello\n\tü ✓ 𝄞 "quoted" \\ </script>', metadata=struct(anything)),
        pb.Part(text='', media_type='text/plain', filename='empty.txt'),
        pb.Part(raw=bytes(range(256)), media_type='text/plain', filename='a b ü.txt'),
        pb.Part(raw=b'', media_type='text/plain'),
        pb.Part(url='https://example.com/a%20b?c=d&e=%2F#f', media_type='application/json'),
        *[data(value) for value in (anything, [], 'text', 0, 1.5e300, False, None)],
    ]
    sent = message(
        parts=parts,
        metadata=struct(anything),
        extensions=['urn:example:a', 'urn:example:B'],
        reference_task_ids=['no-such-task'],
    )
    task = await peer.task(sent)
    equal(state(task), 'COMPLETED', 'state')
    equal(list(task.history), [stored(sent, task)], 'history')
    equal(list((await peer.get(task.id)).history), [stored(sent, task)], 'history, read again')
    kept = peer.result()['history'][0]
    equal(kept['parts'][2]['raw'], base64.b64encode(bytes(range(256))).decode(), 'bytes as JSON')
    equal(kept['parts'][-1], {'data': None}, 'the value null')
    equal(kept['metadata'], anything, 'metadata as JSON')
    equal(kept['parts'][0]['metadata'], anything, 'metadata of a part as JSON')


async def null_is_kept(peer):
    sent = message(parts=[pb.Part(text='hello'), data(None)])
    task = await peer.task(sent)
    equal(list(task.history), [stored(sent, task)], 'history')
    equal(peer.result()['task']['history'][0]['parts'][1], {'data': None}, 'the value null')


async def direct_message_has_no_task(peer):
    sent = message('message for you', context_id='ctx-message')
    for options in ({}, {'return_immediately': True}):
        answer = await peer.send(sent, **options)
        holds(isinstance(answer, pb.Message), 'the answer is a message', answer)
        equal(text_of(answer.parts), 'echo: message for you', 'text')
        equal((answer.role, answer.task_id), (pb.ROLE_AGENT, ''), 'role and task')
        equal(answer.context_id, 'ctx-message', 'context')
        holds(answer.message_id and answer.message_id != sent.message_id, 'an id of its own', answer)
    equal((await peer.list(context_id='ctx-message')).total_size, 0, 'tasks made')


async def direct_message_is_a_stream_of_one(peer):
    events = await peer.events(message('message for you'))
    equal([kind(event) for event in events], ['message'], 'events')
    equal(text_of(events[0].message.parts), 'echo: message for you', 'text')
    holds(events[0].message.context_id, 'there is a context')


async def failure_is_told(peer):
    task = await peer.task(message('fail now'))
    equal(state(task), 'FAILED', 'state')
    agent_said(task)
    events = await peer.events(message('fail now'))
    equal(steady(events), ['task SUBMITTED', 'status WORKING', 'status FAILED'], 'events')
    agent_said(events[-1].status_update)


async def rejection_is_told(peer):
    task = await peer.task(message('reject this'))
    equal(state(task), 'REJECTED', 'state')
    agent_said(task)
    events = await peer.events(message('reject this'))
    equal(steady(events), ['task SUBMITTED', 'status REJECTED'], 'events')
    agent_said(events[-1].status_update)


async def panic_becomes_a_clean_failure(peer):
    events = await peer.events(message('panic now'))
    equal(steady(events), ['task SUBMITTED', 'status WORKING', 'status FAILED'], 'events')
    agent_said(events[-1].status_update)
    said = text_of(events[-1].status_update.status.message.parts).lower()
    holds(not any(word in said for word in ('panic', '.rs', 'thread')), 'no cause is shown', said)
    equal(state(await peer.task(message('panic now'))), 'FAILED', 'state')
    equal(state(await peer.task(message('hello'))), 'COMPLETED', 'state of the next task')


async def envelope_of_an_answer_is_exact(peer):
    task = await peer.task(message('hello'))
    body = peer.last.json()
    if peer.binding == JSON_RPC:
        equal(set(body), {'jsonrpc', 'id', 'result'}, 'members of the envelope')
        body = body['result']
    equal(set(body), {'task'}, 'members of the answer')
    equal(body['task']['status']['state'], 'TASK_STATE_COMPLETED', 'state by its name')
    equal(body['task']['history'][0]['role'], 'ROLE_USER', 'role by its name')
    equal(json_format.ParseDict(body['task'], pb.Task()), task, 'task')
