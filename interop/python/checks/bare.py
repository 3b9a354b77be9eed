"""The conformance agent with `--bare`."""

from a2a.types import a2a_pb2 as pb

from harness import equal, holds
from peer import message, state


async def bare_card_declares_nothing(peer):
    capabilities = peer.card.capabilities
    holds(not capabilities.streaming, 'no streaming')
    holds(not capabilities.push_notifications, 'no push notifications')
    holds(not capabilities.extended_agent_card, 'no extended card')


async def bare_agent_answers(peer):
    equal(state(await peer.task(message('hello'))), 'COMPLETED', 'state')
    # The client reads the card and sends without a stream by itself.
    answers = await peer.events(message('hello'))
    equal([answer.WhichOneof('payload') for answer in answers], ['task'], 'answers')


async def bare_agent_refuses_streams(peer):
    claims = ('streaming',)
    await peer.refused('UNSUPPORTED_OPERATION', peer.stream(message('hello'), claims=claims))
    parked = await peer.task(message('ask'))
    await peer.refused('UNSUPPORTED_OPERATION', peer.subscribe(parked.id, claims=claims))
    # The capability is looked at before the task.
    await peer.refused('UNSUPPORTED_OPERATION', peer.subscribe('no-such-task', claims=claims))


async def bare_agent_refuses_the_extended_card(peer):
    await peer.refused('UNSUPPORTED_OPERATION', peer.extended_card(claims=('extended_agent_card',)))


async def bare_agent_refuses_webhooks(peer):
    client, task = peer.client(streaming=False), await peer.task(message('ask'))
    named = {'task_id': task.id, 'id': 'a'}
    for call in (
        client.create_task_push_notification_config(
            pb.TaskPushNotificationConfig(url='https://example.com/hook', **named)),
        client.create_task_push_notification_config(
            pb.TaskPushNotificationConfig(url='https://example.com/hook', task_id='no-such-task')),
        client.get_task_push_notification_config(pb.GetTaskPushNotificationConfigRequest(**named)),
        client.list_task_push_notification_configs(
            pb.ListTaskPushNotificationConfigsRequest(task_id=task.id)),
        client.delete_task_push_notification_config(pb.DeleteTaskPushNotificationConfigRequest(**named)),
    ):
        await peer.refused('PUSH_NOTIFICATION_NOT_SUPPORTED', call)


async def bare_agent_refuses_webhooks_along_with_messages(peer):
    context = f'push-{peer.binding}'
    config = pb.TaskPushNotificationConfig(url='https://example.com/hook')
    for call in (peer.send, peer.stream):
        await peer.refused(
            'PUSH_NOTIFICATION_NOT_SUPPORTED',
            call(message('hello', context_id=context), task_push_notification_config=config),
        )
    equal((await peer.list(context_id=context)).total_size, 0, 'tasks made')
