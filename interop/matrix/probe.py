"""Our client, through the probe."""

import asyncio
import contextlib
import json
import tempfile
from pathlib import Path

from harness import Broken, equal, holds

# kind: JSON-RPC code
KINDS = {
    'TASK_NOT_FOUND': -32001,
    'TASK_NOT_CANCELABLE': -32002,
    'PUSH_NOTIFICATION_NOT_SUPPORTED': -32003,
    'UNSUPPORTED_OPERATION': -32004,
    'CONTENT_TYPE_NOT_SUPPORTED': -32005,
    'INVALID_AGENT_RESPONSE': -32006,
    'EXTENDED_AGENT_CARD_NOT_CONFIGURED': -32007,
    'EXTENSION_SUPPORT_REQUIRED': -32008,
    'VERSION_NOT_SUPPORTED': -32009,
    'INVALID_PARAMS': -32602,
    'UNAUTHENTICATED': -31401,
}


class Probe:
    """Calls one agent over one binding, each call by a process of its own."""

    def __init__(self, command, base, binding, *, token=None, trust=None):
        self.base = base
        self.binding = binding
        self._command = command
        self._token = token
        # Where gRPC is: a port of its own is another origin, to which credentials go only when told so.
        self._trust = trust

    def with_token(self, token):
        """The same agent as somebody else; `None`: as nobody."""
        return Probe(self._command, self.base, self.binding, token=token, trust=self._trust)

    def _arguments(self, operation, request, options, url):
        token = ['--bearer', self._token] if self._token else []
        trust = ['--trust', self._trust] if self._trust else []
        arguments = ['--binding', self.binding, '--timeout', '20', *token, *trust, *options, url or self.base, operation]
        return [*self._command, *arguments, '-']

    @contextlib.asynccontextmanager
    async def running(self, operation, request=None, *options, url=None):
        """The lines of a call while it runs; it is ended when they are left."""
        process = await asyncio.create_subprocess_exec(
            *self._arguments(operation, request, options, url),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            limit=64 * 1024 * 1024,
        )

        async def lines():
            async for line in process.stdout:
                yield json.loads(line)

        try:
            process.stdin.write(json.dumps(request or {}).encode())
            process.stdin.close()
            yield process, lines()
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()

    async def call(self, operation, request=None, *options, url=None):
        """All lines after the first one, which is the card, and the exit status."""
        async with self.running(operation, request, *options, url=url) as (process, lines):
            found = [line async for line in lines]
            _, log = await process.communicate()
        holds(found and 'card' in found[0], 'the first line is the card', [*found, log.decode()[-500:]])
        equal(found[0]['interface']['protocolBinding'], self.binding, 'binding')
        failed = any('error' in line for line in found)
        equal(process.returncode, 1 if failed else 0, f'exit status with {found[-1]} {log.decode()[-300:]}')
        return found[1:]

    async def result(self, operation, request=None, *options, url=None):
        """The answer of an operation that has one."""
        lines = await self.call(operation, request, *options, url=url)
        holds(len(lines) == 1 and 'result' in lines[0], f'one answer to {operation}', lines)
        return lines[0]['result']

    async def stream(self, operation, request=None, *options, url=None):
        """The events of a stream that ends as it should, and the task that they make."""
        lines = await self.call(operation, request, *options, url=url)
        equal(lines[-1], {'end': 'finished'}, f'the last line of {operation}')
        events = [line['event'] for line in lines if 'event' in line]
        task = next((line['task'] for line in lines if 'task' in line), None)
        equal(len(events) + (task is not None) + 1, len(lines), f'lines of {operation}')
        return events, task

    async def refused(self, kind, operation, request=None, *options, url=None, source='protocol'):
        """The call fails with this kind of error."""
        lines = await self.call(operation, request, *options, url=url)
        holds(len(lines) == 1 and 'error' in lines[0], f'{operation} is refused with {kind}', lines)
        error = lines[0]['error']
        equal((error.get('kind'), error['source']), (kind, source), f'error of {operation} ({error["message"]})')
        equal(error['code'], KINDS[kind], 'code')
        holds(error['message'], 'the error has a message')
        return error

    async def card(self):
        """The card of the agent."""
        async with self.running('Card') as (_, lines):
            return [line async for line in lines][0]['card']

    @contextlib.contextmanager
    def card_file(self, card):
        """The address of a card in hand."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'card.json'
            path.write_text(json.dumps(card))
            yield f'card:{path}'


def state(task_or_event):
    """The state, without its prefix."""
    return task_or_event['status']['state'].removeprefix('TASK_STATE_')


def kind_of(event):
    """What an event is, in short."""
    [(name, inner)] = event.items()
    match name:
        case 'task' | 'statusUpdate':
            return f'{name} {state(inner)}'
        case 'artifactUpdate':
            return 'append' if inner.get('append') else 'artifact'
    return name


def text_of(parts):
    """The text of parts that are all text."""
    if not all('text' in part for part in parts):
        raise Broken(f'only text parts: {parts}')
    return ''.join(part['text'] for part in parts)
