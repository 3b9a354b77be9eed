"""Runs all scenarios between us and the official SDKs, and shows what works; see `interop/run`."""

import argparse
import asyncio
import logging
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
sys.path.insert(1, str(HERE.parent / 'python'))

from harness import Server, free_port  # noqa: E402
from peers import PEERS  # noqa: E402
from probe import Probe  # noqa: E402
from report import Matrix  # noqa: E402
from runs import CLIENT, RUNS, TOKENS  # noqa: E402
from scenarios import scenarios  # noqa: E402

import refusals  # noqa: E402, F401

BINDINGS = ('JSONRPC', 'HTTP+JSON', 'GRPC')
PACE = '0.2'


def is_ready(lines):
    return any(line.startswith('READY ') for line in lines)


def server_of(command, options):
    """A server that tells its address when it is ready."""
    port = free_port()
    return Server([*command, '--port', str(port), '--pace', PACE, *options], port=port, ready=is_ready)


async def their_server(matrix, peer, programs):
    """Our client calls an agent on the peer's SDK."""
    for run, options in RUNS.items():
        found = scenarios(run)
        grpc_port = free_port()
        async with server_of(peer.server, ['--grpc-port', str(grpc_port), *options]) as server:
            for binding in BINDINGS:
                probe = Probe(
                    [programs / 'probe'], server.base, binding,
                    token=TOKENS.get(run), trust=f'http://127.0.0.1:{grpc_port}',
                )
                for name, scenario in found:
                    await matrix.check(peer.name, 'server', binding, name, lambda s=scenario, p=probe: s(p))


async def their_client(matrix, peer, programs):
    """The peer's client calls our agent."""
    for run, options in RUNS.items():
        async with server_of([programs / 'conformance'], options) as server:
            command = [*peer.client, '--run', run, '--base', server.base]
            if run in TOKENS:
                command += ['--token', TOKENS[run]]
            process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
            async with asyncio.timeout(600):
                async for line in process.stdout:
                    matrix.told(peer.name, 'client', line.decode().rstrip('\n'))
                if await process.wait() not in (0, 1):
                    matrix.fail(peer.name, 'client', '-', run, f'exit status {process.returncode}')
        for binding in BINDINGS:
            for name in CLIENT[run]:
                matrix.must_be_told(peer.name, 'client', binding, name)


async def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--programs', type=Path, required=True, help='where our examples are')
    parser.add_argument('--only', metavar='REGEX', help='only cells whose name matches')
    parser.add_argument('--without', metavar='PEER', action='append', default=[], help='one whose SDK cannot be had')
    parser.add_argument('peers', nargs='*', metavar='PEER', choices=[*PEERS, []], default=[])
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    matrix = Matrix(HERE / 'expected.toml', options.only)
    programs = options.programs.resolve()
    names = [name for name in options.peers or PEERS if name not in options.without]
    for name in names:
        peer = PEERS[name]
        for side in (their_server, their_client):
            try:
                await side(matrix, peer, programs)
            except Exception as error:  # noqa: BLE001
                matrix.fail(name, side.__name__, '-', 'starts', f'{type(error).__name__}: {error}')
    code = matrix.finish(names, BINDINGS)
    for name in options.without:
        print(f'NOT RUN: {name}, its SDK cannot be had here')
    return code


if __name__ == '__main__':
    sys.exit(asyncio.run(main()))
