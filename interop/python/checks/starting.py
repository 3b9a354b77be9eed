"""How the conformance agent is started: what shows only when it is, or when it is again."""

import asyncio
import tempfile

from a2a.types import a2a_pb2 as pb

from harness import Broken, Server, command_line, equal, free_port, holds
from peer import GRPC, JSON_RPC, Peer, message, state


def _started(command, port, *arguments):
    ready = f'READY http://127.0.0.1:{port}'
    return Server(command_line(command, *arguments), port=port, ready=lambda lines: ready in lines)


async def grpc_has_a_port_of_its_own(command):
    """Also by the other names of the options, and with those that say what is so anyway."""
    port, grpc_port = free_port(), free_port()
    for http, grpc in (('--port', '--grpc-port'), ('--httpPort', '--grpcPort')):
        arguments = [http, str(port), grpc, str(grpc_port), '--store', 'memory', '--auth', 'none']
        async with _started(command, port, *arguments) as server, Peer(server.base, GRPC) as peer:
            at = [i.url for i in peer.card.supported_interfaces if i.protocol_binding == 'GRPC']
            equal(at, [f'127.0.0.1:{grpc_port}'], 'address of gRPC')
            equal(state(await peer.task(message('hello'))), 'COMPLETED', 'state')


async def sqlite_keeps_tasks_and_webhooks(command):
    with tempfile.TemporaryDirectory() as folder:
        arguments = ['--store', f'sqlite:{folder}/tasks.db']
        port = free_port()
        async with _started(command, port, '--port', str(port), *arguments) as server:
            async with Peer(server.base, JSON_RPC) as peer:
                parked, done = await peer.task(message('ask')), await peer.task(message('kinds'))
                hook = pb.TaskPushNotificationConfig(task_id=parked.id, url='http://127.0.0.1:9/', token='t0k')
                hook = await peer.client(streaming=False).create_task_push_notification_config(hook)
        port = free_port()
        async with _started(command, port, '--port', str(port), *arguments) as server:
            async with Peer(server.base, JSON_RPC) as peer:
                equal([await peer.get(task.id) for task in (parked, done)], [parked, done], 'the tasks')
                request = pb.GetTaskPushNotificationConfigRequest(task_id=parked.id, id=hook.id)
                found = await peer.client(streaming=False).get_task_push_notification_config(request)
                equal(found, hook, 'the webhook')
                equal(state(await peer.task(message('hello', task_id=parked.id))), 'COMPLETED', 'the next turn')


async def unknown_ones_are_refused(command):
    for options in (
        ['--no-such-option'], ['--port'], ['--port', 'x'], ['--pace', 'fast'], ['--auth', 'basic:a'], ['--store', 'x'],
    ):
        process = await asyncio.create_subprocess_exec(
            *command_line(command, *options),
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(10):
                _, err = await process.communicate()
        except TimeoutError:
            process.kill()
            raise Broken(f'{options} were taken') from None
        equal(process.returncode, 2, f'exit status with {options}')
        holds('usage' in err.decode().lower(), f'usage is shown for {options}', err.decode())
