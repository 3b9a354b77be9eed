"""Webhooks: registered by the official client, and received by its types."""

import asyncio
import json
from contextlib import asynccontextmanager

from a2a.types import a2a_pb2 as pb
from google.protobuf import json_format

from harness import equal, holds
from peer import kind, message, state, text_of


@asynccontextmanager
async def receiver(path='/hook'):
    """An address, and the notifications that come there: their headers and events."""
    seen = asyncio.Queue()

    async def take(reader, writer):
        try:
            while head := await reader.readuntil(b'\r\n\r\n'):
                request, *lines = head.decode().strip().split('\r\n')
                equal(request, f'POST {path} HTTP/1.1', 'request')
                headers = {n.lower(): v.strip() for n, _, v in (line.partition(':') for line in lines)}
                body = await reader.readexactly(int(headers['content-length']))
                # Strict: an unknown member is an error.
                seen.put_nowait((headers, json_format.ParseDict(json.loads(body), pb.StreamResponse())))
                writer.write(b'HTTP/1.1 204 No Content\r\n\r\n')
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        except Exception as error:  # noqa: BLE001
            seen.put_nowait(error)
        finally:
            writer.close()

    async with await asyncio.start_server(take, '127.0.0.1', 0) as server:
        yield f'http://127.0.0.1:{server.sockets[0].getsockname()[1]}{path}', seen


async def _until_completed(seen):
    """The notifications of a task to its end."""
    found = []
    while not found or kind(found[-1][1]) != 'status COMPLETED':
        notification = await seen.get()
        if isinstance(notification, Exception):
            raise notification
        found.append(notification)
    return found


def _decent(found, token, authorization):
    for headers, _ in found:
        equal(headers['content-type'], 'application/a2a+json', 'content type')
        equal(headers['a2a-version'], '1.0', 'version')
        equal(headers.get('x-a2a-notification-token'), token, 'token')
        equal(headers.get('a2a-notification-token'), token, 'token in its other spelling')
        equal(headers.get('authorization'), authorization, 'credentials')
        holds(headers['webhook-timestamp'].isdigit(), 'there is a timestamp')
    ids = {headers['webhook-id'] for headers, _ in found}
    equal(len(ids), len(found), 'ids')


async def webhooks_are_registered_read_and_deleted(peer):
    client, task = peer.client(streaming=False), await peer.task(message('ask'))
    login = pb.AuthenticationInfo(scheme='Bearer', credentials='secret')
    config = pb.TaskPushNotificationConfig(
        task_id=task.id, url='http://127.0.0.1:9/hook', token='t0k', authentication=login)
    made = await client.create_task_push_notification_config(config)
    holds(made.id, 'it has an id')
    config.id = made.id
    equal(made, config, 'the registration')
    ids = {'task_id': task.id, 'id': made.id}
    read = await client.get_task_push_notification_config(pb.GetTaskPushNotificationConfigRequest(**ids))
    equal(read, config, 'the registration as it is read')
    listed = pb.ListTaskPushNotificationConfigsRequest(task_id=task.id)
    page = await client.list_task_push_notification_configs(listed)
    equal((list(page.configs), page.next_page_token), ([config], ''), 'the list')
    for _ in range(2):
        await client.delete_task_push_notification_config(pb.DeleteTaskPushNotificationConfigRequest(**ids))
    page = await client.list_task_push_notification_configs(listed)
    equal(len(page.configs), 0, 'registrations left')
    call = client.get_task_push_notification_config(pb.GetTaskPushNotificationConfigRequest(**ids))
    await peer.refused('TASK_NOT_FOUND', call)


async def webhook_of_a_message_gets_every_event(peer):
    for call in (peer.send, peer.stream):
        async with receiver() as (url, seen):
            login = pb.AuthenticationInfo(scheme='Bearer', credentials='secret')
            config = pb.TaskPushNotificationConfig(url=url, token='t0k', authentication=login)
            sent = call(message('slow'), task_push_notification_config=config)
            if hasattr(sent, '__aiter__'):
                events = [event async for event in sent]
                found = await _until_completed(seen)
                equal([event for _, event in found], events, 'the notifications are the stream')
            else:
                await sent
                found = await _until_completed(seen)
            _decent(found, 't0k', 'Bearer secret')
            equal(kind(found[0][1]), 'task SUBMITTED', 'first notification')
            chunks = [e.artifact_update.artifact for _, e in found if e.HasField('artifact_update')]
            equal(''.join(text_of(a.parts) for a in chunks), 'chunk 1;chunk 2;chunk 3;', 'the chunks')


async def webhook_of_a_task_gets_what_comes_after(peer):
    client, task = peer.client(streaming=False), await peer.task(message('ask'))
    async with receiver() as (url, seen):
        config = pb.TaskPushNotificationConfig(task_id=task.id, url=url)
        await client.create_task_push_notification_config(config)
        done = await peer.task(message('hello', task_id=task.id))
        equal(state(done), 'COMPLETED', 'state')
        found = await _until_completed(seen)
        _decent(found, None, None)
        equal([kind(e) for _, e in found], ['status WORKING', 'artifact echo', 'status COMPLETED'], 'events')
