"""Starts a server under test, records what travels, and counts what held."""

import asyncio
import json
import os
import re
import shlex
import signal
import socket
import tempfile
import traceback

import httpx
from google.protobuf import json_format
from google.protobuf.message import Message as Proto

CHECK_SECONDS = 60
START_SECONDS = 60
STOP_SECONDS = 15


class Broken(AssertionError):
    """An expectation that did not hold; the text is for the one line that reports it."""


def plain(value):
    """A value as short text: protocol messages as their JSON."""
    if isinstance(value, Proto):
        value = json_format.MessageToDict(value)
    elif isinstance(value, list | tuple):
        return '[' + ', '.join(plain(item) for item in value) + ']'
    return repr(value)


def equal(actual, expected, what):
    """Holds when the two are the same."""
    if actual != expected:
        raise Broken(f'{what}: expected {plain(expected)}, got {plain(actual)}')


def holds(condition, what, got=None):
    """Holds when the condition does."""
    if not condition:
        raise Broken(what if got is None else f'{what}, got {plain(got)}')


class Report:
    """One line a check, and the sum at the end."""

    def __init__(self, *, trace, only):
        self.passed = 0
        self.failed = 0
        self._trace = trace
        self._only = only

    def wants(self, name):
        """Whether a check of this name was asked for."""
        return self._only is None or re.search(self._only, name) is not None

    async def check(self, name, run):
        """Runs one check; an exception of any kind is a failure."""
        if not self.wants(name):
            return
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                await run()
        except TimeoutError:
            self.fail(name, f'not done within {CHECK_SECONDS} s')
        except Exception as error:  # noqa: BLE001
            self.fail(name, f'{type(error).__name__}: {error}')
        else:
            self.passed += 1
            print(f'ok {name}', flush=True)

    def fail(self, name, reason):
        """Counts and tells a failure."""
        self.failed += 1
        print(f'FAIL {name} {" | ".join(reason.split(chr(10)))[:1500]}', flush=True)
        if self._trace:
            traceback.print_exc()

    def finish(self):
        """Prints the sum; the exit status."""
        print(f'{self.passed} passed, {self.failed} failed', flush=True)
        return 1 if self.failed or not self.passed else 0


class Server:
    """The process under test: started, waited for, stopped by its own id."""

    def __init__(self, command, *, port, ready, environment=None):
        self.port = port
        self.base = f'http://127.0.0.1:{port}'
        self.lines = []
        self.code = None
        self._command = command
        self._ready = ready
        self._environment = environment or {}
        self._process = None
        self._drain = None
        self._log = None

    async def __aenter__(self):
        self._log = tempfile.TemporaryFile()
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=self._log,
            env={**os.environ, **self._environment},
        )
        try:
            async with asyncio.timeout(START_SECONDS):
                while not self._ready(self.lines):
                    line = await self._process.stdout.readline()
                    if not line:
                        raise Broken('the server ended before it was ready')
                    self.lines.append(line.decode().rstrip('\n'))
        except BaseException:
            await self.stop()
            raise
        self._drain = asyncio.create_task(self._read_on())
        return self

    async def __aexit__(self, *_):
        await self.stop()

    async def _read_on(self):
        while line := await self._process.stdout.readline():
            self.lines.append(line.decode().rstrip('\n'))

    async def stop(self):
        """Asks the process to end, and ends it when it does not; its exit status."""
        if self.code is None:
            if self._process.returncode is None:
                self._process.send_signal(signal.SIGTERM)
            try:
                async with asyncio.timeout(STOP_SECONDS):
                    self.code = await self._process.wait()
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
                self.code = 'killed, it did not end on SIGTERM'
            if self._drain:
                await self._drain
        return self.code

    def log(self):
        """What it wrote to its standard error: the last of it."""
        self._log.seek(0)
        return self._log.read().decode(errors='replace')[-4000:]


def free_port():
    """A port of the loopback address that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def command_line(text, *arguments):
    """A command as typed, with arguments added."""
    return [*shlex.split(text), *arguments]


class Exchange:
    """One request and what came back, as it was on the wire."""

    def __init__(self, request):
        self.request = request
        self.sent = request.content if hasattr(request, '_content') else b''
        self.status = None
        self.headers = None
        self.body = bytearray()
        self.whole = False

    @property
    def media_type(self):
        return self.headers.get('content-type', '').split(';')[0].strip()

    @property
    def is_stream(self):
        return self.media_type == 'text/event-stream'

    def json(self):
        """The answer as one JSON value."""
        return json.loads(bytes(self.body))

    def events(self):
        """The finished events of a stream: name, id and the JSON of the data."""
        found = []
        for block in bytes(self.body).decode().replace('\r\n', '\n').split('\n\n')[:-1]:
            fields = {}
            for line in block.split('\n'):
                if line and not line.startswith(':'):
                    key, _, value = line.partition(':')
                    fields.setdefault(key, []).append(value.removeprefix(' '))
            if 'data' in fields:
                found.append((
                    fields.get('event', [None])[0],
                    fields.get('id', [None])[0],
                    json.loads('\n'.join(fields['data'])),
                ))
        return found


class _Tee(httpx.AsyncByteStream):
    def __init__(self, inner, exchange):
        self._inner = inner
        self._exchange = exchange

    async def __aiter__(self):
        async for piece in self._inner:
            self._exchange.body += piece
            yield piece
        self._exchange.whole = True

    async def aclose(self):
        await self._inner.aclose()


class Recorder(httpx.AsyncHTTPTransport):
    """An HTTP transport that keeps every exchange."""

    def __init__(self):
        super().__init__()
        self.exchanges = []

    async def handle_async_request(self, request):
        exchange = Exchange(request)
        self.exchanges.append(exchange)
        response = await super().handle_async_request(request)
        exchange.status = response.status_code
        exchange.headers = response.headers
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=_Tee(response.stream, exchange),
            extensions=response.extensions,
        )
