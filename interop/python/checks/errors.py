"""Every kind of error that the conformance agent can be brought to with its default options."""

from a2a.types import a2a_pb2 as pb

from harness import equal, holds
from peer import message, state

NOBODY = '00000000-0000-4000-8000-000000000000'


async def unknown_task_is_not_found(peer):
    for call in (
        peer.get(NOBODY),
        peer.cancel(NOBODY),
        peer.subscribe(NOBODY),
        peer.send(message('hello', task_id=NOBODY)),
        peer.stream(message('hello', task_id=NOBODY)),
    ):
        await peer.refused('TASK_NOT_FOUND', call, metadata={'taskId': NOBODY})
    await peer.refused('TASK_NOT_FOUND', peer.get(NOBODY))


async def finished_task_takes_no_message(peer):
    for text, last in (('hello', 'COMPLETED'), ('fail', 'FAILED'), ('reject', 'REJECTED')):
        task = await peer.task(message(text))
        equal(state(task), last, 'state')
        for call in (
            peer.send(message('more', task_id=task.id)),
            peer.send(message('more', task_id=task.id, context_id=task.context_id)),
            peer.stream(message('more', task_id=task.id)),
        ):
            await peer.refused('UNSUPPORTED_OPERATION', call)
        equal(await peer.get(task.id), task, 'the task afterwards')


async def finished_task_is_not_canceled(peer):
    for text in ('hello', 'fail', 'reject', 'panic'):
        task = await peer.task(message(text))
        await peer.refused('TASK_NOT_CANCELABLE', peer.cancel(task.id))
        equal(await peer.get(task.id), task, 'the task afterwards')


async def finished_task_has_no_subscription(peer):
    for text in ('hello', 'fail', 'reject'):
        task = await peer.task(message(text))
        await peer.refused('UNSUPPORTED_OPERATION', peer.subscribe(task.id))


async def context_of_another_task_is_refused(peer):
    parked, done = await peer.task(message('ask')), await peer.task(message('hello'))
    for task in (parked, done):
        for call in (peer.send, peer.stream):
            await peer.refused(
                'INVALID_PARAMS',
                call(message('hello', task_id=task.id, context_id='another')),
                fields=['message.contextId'],
            )
        equal(await peer.get(task.id), task, 'the task afterwards')


async def unsupported_media_type_is_refused(peer):
    context = f'media-{peer.binding}'
    parts = [pb.Part(text='hello'), pb.Part(raw=b'x', media_type='application/x-foo')]
    for call in (peer.send, peer.stream):
        await peer.refused('CONTENT_TYPE_NOT_SUPPORTED', call(message(parts=parts, context_id=context)))
    equal((await peer.list(context_id=context)).total_size, 0, 'tasks made')


async def version_is_checked_on_every_operation(peer):
    for version in ('9.9', '0.3', '', '1.1', 'x'):
        headers = {'A2A-Version': version}
        for call in (peer.send, peer.stream):
            await peer.refused(
                'VERSION_NOT_SUPPORTED',
                call(message('hello'), headers=headers),
                metadata={'supportedVersions': '1.0'},
            )
    peer.http.headers['A2A-Version'] = '2.0'
    try:
        for call in (peer.get(NOBODY), peer.list(), peer.cancel(NOBODY), peer.subscribe(NOBODY)):
            await peer.refused('VERSION_NOT_SUPPORTED', call)
        for fine in ('1.0', '1.0.7', '1'):
            peer.http.headers['A2A-Version'] = fine
            await peer.list()
    finally:
        peer.http.headers['A2A-Version'] = '1.0'


async def required_fields_are_all_named(peer):
    empty = pb.Message()
    for call in (peer.send, peer.stream):
        await peer.refused(
            'INVALID_PARAMS',
            call(empty),
            fields=['message.messageId', 'message.parts', 'message.role'],
        )
    await peer.refused(
        'INVALID_PARAMS',
        peer.send(message(parts=[pb.Part(text='fine'), pb.Part(filename='no content')])),
        fields=['message.parts[1]'],
    )


async def page_size_is_bounded(peer):
    for size in (0, 101, -1):
        await peer.refused('INVALID_PARAMS', peer.list(page_size=size), fields=['pageSize'])
    for size in (1, 100):
        equal((await peer.list(page_size=size)).page_size, size, 'applied size')
    equal((await peer.list()).page_size, 50, 'size when unset')


async def page_token_is_checked(peer):
    context = f'tokens-{peer.binding}'
    for _ in range(2):
        await peer.task(message('hello', context_id=context))
    await peer.refused('INVALID_PARAMS', peer.list(page_token='garbage'), fields=['pageToken'])
    token = (await peer.list(context_id=context, page_size=1)).next_page_token
    holds(token, 'there is a second page')
    await peer.refused(
        'INVALID_PARAMS', peer.list(context_id='other', page_size=1, page_token=token), fields=['pageToken']
    )


async def history_length_is_not_negative(peer):
    task = await peer.task(message('hello'))
    await peer.refused('INVALID_PARAMS', peer.get(task.id, history_length=-1), fields=['historyLength'])
    await peer.refused('INVALID_PARAMS', peer.list(history_length=-1), fields=['historyLength'])
    await peer.refused(
        'INVALID_PARAMS',
        peer.send(message('hello'), history_length=-1),
        fields=['configuration.historyLength'],
    )


async def every_bad_parameter_is_named_at_once(peer):
    await peer.refused(
        'INVALID_PARAMS',
        peer.list(page_size=150, history_length=-5),
        fields=['historyLength', 'pageSize'],
    )
