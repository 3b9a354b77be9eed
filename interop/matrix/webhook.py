"""Takes notifications."""

import asyncio
import json


class Webhook:
    """A server on a port of its own that answers 200 to everything, and keeps what it got."""

    def __init__(self):
        self.url = None
        self._server = None
        self._seen = asyncio.Queue()

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._take, '127.0.0.1', 0, limit=16 * 1024 * 1024)
        self.url = f'http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/hook'
        return self

    async def __aexit__(self, *_):
        self._server.close()

    async def _take(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b'\r\n\r\n')).decode()
                headers = dict(
                    (name.strip().lower(), value.strip())
                    for name, _, value in (line.partition(':') for line in head.split('\r\n')[1:] if line)
                )
                body = await reader.readexactly(int(headers.get('content-length', 0)))
                token = headers.get('x-a2a-notification-token') or headers.get('a2a-notification-token')
                self._seen.put_nowait((token, json.loads(body)))
                writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def until(self, wanted):
        """All notifications, token and event, up to the one that is wanted."""
        seen = []
        while not seen or not wanted(seen[-1][1]):
            seen.append(await self._seen.get())
        return seen
