"""What the prefix of the message id makes the conformance agent do."""

import uuid

from a2a.types import a2a_pb2 as pb

from checks.sending import agent_said, steady
from harness import equal, holds
from peer import message, state, text_of


def _numbered(prefix, **fields):
    return message('of no interest', id=f'{prefix}-{uuid.uuid4()}', **fields)


async def _one_part(peer, prefix):
    task = await peer.task(_numbered(prefix))
    equal((state(task), len(task.artifacts)), ('COMPLETED', 1), 'state and artifacts')
    equal(len(task.artifacts[0].parts), 1, 'parts')
    return task.artifacts[0].parts[0]


def _is_file(part, content):
    equal((part.WhichOneof('content'), part.filename, part.media_type), (content, 'output.txt', 'text/plain'), 'file')
    holds(getattr(part, content), 'the file has content', part)


async def tck_complete_task(peer):
    for id in ('tck-complete-task', 'tck-complete-task', 'tck-complete-task-2'):
        task = await peer.task(message('forever', id=id))
        equal(state(task), 'COMPLETED', 'state')
        agent_said(task, 'Hello from TCK')


async def tck_input_required(peer):
    task = await peer.task(_numbered('tck-input-required'))
    equal(state(task), 'INPUT_REQUIRED', 'state')
    again = await peer.task(_numbered('tck-input-required', task_id=task.id))
    equal((again.id, state(again)), (task.id, 'INPUT_REQUIRED'), 'a later turn')
    done = await peer.task(_numbered('tck-complete-task', task_id=task.id))
    equal((done.id, state(done)), (task.id, 'COMPLETED'), 'the last turn')


async def tck_reject_task(peer):
    equal(state(await peer.task(_numbered('tck-reject-task'))), 'REJECTED', 'state')


async def tck_message_response(peer):
    answer = await peer.send(_numbered('tck-message-response'))
    holds(isinstance(answer, pb.Message), 'the answer is a message', answer)
    equal([p.text for p in answer.parts], ['Direct message response'], 'parts')
    equal(answer.role, pb.ROLE_AGENT, 'role')


async def tck_artifacts(peer):
    equal((await _one_part(peer, 'tck-artifact-text')).text, 'Generated text content', 'text')
    _is_file(await _one_part(peer, 'tck-artifact-file'), 'raw')
    _is_file(await _one_part(peer, 'tck-artifact-file-url'), 'url')
    await _one_part(peer, 'tck-artifact-data')
    equal(
        peer.result()['task']['artifacts'][0]['parts'][0]['data'],
        {'key': 'value', 'count': 42},
        'data',
    )


async def tck_streams_of_text(peer):
    for prefix in ('tck-stream-001', 'tck-stream-003', 'tck-stream-ordering-001', 'tck-stream-artifact-text'):
        events = await peer.events(_numbered(prefix))
        kinds = steady(events)
        equal((kinds[:2], kinds[3:]), (['task SUBMITTED', 'status WORKING'], ['status COMPLETED']), prefix)
        holds(text_of(events[2].artifact_update.artifact.parts), 'the artifact is text', events[2])


async def tck_stream_002(peer):
    equal(steady(await peer.events(_numbered('tck-stream-002'))), ['task SUBMITTED', 'status COMPLETED'], 'events')


async def tck_stream_artifact_file(peer):
    events = await peer.events(_numbered('tck-stream-artifact-file'))
    equal([k.split()[0] for k in steady(events)], ['task', 'status', 'artifact', 'status'], 'events')
    equal(len(events[2].artifact_update.artifact.parts), 1, 'parts')
    _is_file(events[2].artifact_update.artifact.parts[0], 'raw')


async def tck_stream_artifact_chunked(peer):
    events = await peer.events(_numbered('tck-stream-artifact-chunked'))
    kinds = [k.split()[0] for k in steady(events)]
    equal(kinds, ['task', 'status', 'artifact', 'artifact', 'status'], 'events')
    one, two = events[2].artifact_update, events[3].artifact_update
    equal((text_of(one.artifact.parts), one.append, one.last_chunk), ('chunk-1 ', False, False), 'first chunk')
    equal((text_of(two.artifact.parts), two.append, two.last_chunk), ('chunk-2', True, True), 'second chunk')
    equal(one.artifact.artifact_id, two.artifact.artifact_id, 'artifact of the chunks')


async def tck_resubscribe(peer):
    stream = peer.stream(_numbered('test-resubscribe-message-id'))
    first = [await anext(stream), await anext(stream)]
    equal(steady(first), ['task SUBMITTED', 'status WORKING'], 'events')
    await stream.aclose()
    events = [event async for event in peer.subscribe(first[0].task.id)]
    equal(steady(events), ['task WORKING', 'status COMPLETED'], 'events of the subscription')


async def tck_anything_else(peer):
    task = await peer.task(_numbered('tck-something-new'))
    equal(state(task), 'COMPLETED', 'state')
    agent_said(task)
