"""The conformance agent with `--default-webhook-guard`."""

from a2a.types import a2a_pb2 as pb

from peer import message


async def webhooks_on_this_machine_are_refused(peer):
    client, task = peer.client(streaming=False), await peer.task(message('ask'))
    for url in ('http://127.0.0.1:9/hook', 'https://127.0.0.1/hook', 'https://localhost/hook', 'http://[::1]:9/'):
        config = pb.TaskPushNotificationConfig(task_id=task.id, url=url)
        await peer.refused('INVALID_PARAMS', client.create_task_push_notification_config(config), fields=['url'])
        config = pb.TaskPushNotificationConfig(url=url)
        await peer.refused(
            'INVALID_PARAMS', peer.send(message('hello'), task_push_notification_config=config),
            fields=['configuration.taskPushNotificationConfig.url'],
        )
