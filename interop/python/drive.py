#!/usr/bin/env python3
"""The official Python client drives our example agents and looks closely at the answers.

    drive.py [--hello COMMAND] [--conformance COMMAND] [--only REGEX] [--trace]

A COMMAND starts the agent (a path, arguments allowed). One line a check, `ok NAME` or
`FAIL NAME REASON`, then `N passed, N failed`; the exit status is 1 when anything failed.
"""

import argparse
import asyncio
import inspect
import json
import logging
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from checks import (
    anonymous, auth, bare, broken, cards, errors, extension, guard, hello, instructions, push, sending, starting,
    tasks, tck,
)
from harness import Broken, Report, Server, command_line, equal, free_port, holds
from peer import HTTP_JSON, JSON_RPC, Peer

# Name, options of the conformance agent, and the checks that it must pass with them.
RUNS = [
    ('default', [], [cards, sending, tasks, errors, push, tck, instructions]),
    # Also what else is asked for does not make it declare an extended card.
    ('bare', ['--bare', '--allow-anonymous-extended-card'], [bare]),
    ('extension', ['--require-extension', extension.URI], [extension]),
    ('auth', ['--auth', auth.OPTION], [auth]),
    ('anonymous', ['--allow-anonymous-extended-card'], [anonymous]),
    ('broken', ['--broken'], [broken]),
    ('guard', ['--default-webhook-guard'], [guard]),
]


def checks_of(module):
    """The checks of a module, in the order in which they are written."""
    return [
        (name, check)
        for name, check in vars(module).items()
        if inspect.iscoroutinefunction(check)
        and check.__module__ == module.__name__
        and not name.startswith('_')
    ]


async def drive(report, run, server, modules):
    """All checks over both bindings against a server while it runs, and its end."""
    failed = report.failed
    try:
        async with server:
            for binding in (JSON_RPC, HTTP_JSON):
                for module in modules:
                    for name, check in checks_of(module):
                        await report.check(
                            f'{run}/{binding}/{name}', lambda c=check, b=binding: once(server, b, c)
                        )
            await report.check(f'{run}/ends_on_sigterm', lambda: ends(server))
    except (Broken, OSError, TimeoutError) as error:
        report.fail(f'{run}/starts', f'{type(error).__name__}: {error}')
    if report.failed > failed:
        print(f'--- the log of the {run} server\n{server.log()}---', flush=True)


async def once(server, binding, check):
    """One check with a client of its own; what travelled must be right as well."""
    async with Peer(server.base, binding) as peer:
        peer.printed = server.lines
        peer.begin()
        await check(peer)
        peer.verify()


async def ends(server):
    equal(await server.stop(), 0, 'exit status')


async def hello_run(report, command):
    """The hello example, on the port that the environment gives."""
    port = free_port()

    def ready(lines):
        return any(line.strip().startswith('curl ') for line in lines)

    server = Server(command_line(command), port=port, ready=ready, environment={'PORT': str(port)})
    await drive(report, 'hello', server, [hello])


async def conformance_runs(report, command):
    """The conformance agent, once for each set of options."""
    for run, options, modules in RUNS:
        if not any(
            report.wants(f'{run}/{binding}/{name}')
            for binding in (JSON_RPC, HTTP_JSON) for module in modules for name, _ in checks_of(module)
        ):
            continue
        port = free_port()
        arguments = command_line(command, '--port', str(port), '--pace', str(sending.PACE), *options)
        ready = f'READY http://127.0.0.1:{port}'
        server = Server(arguments, port=port, ready=lambda lines, r=ready: r in lines)
        await drive(report, run, server, modules)
    for name, check in checks_of(starting):
        await report.check(f'starting/{name}', lambda c=check: c(command))


async def reflection_run(report, command):
    """What `reflect.py` finds out about the conformance agent by itself."""
    port = free_port()
    ready = f'READY http://127.0.0.1:{port}'
    server = Server(command_line(command, '--port', str(port)), port=port, ready=lambda lines: ready in lines)
    async with server:
        await report.check('reflection/names_the_service', lambda: names_the_service(port))
        await report.check('reflection/is_enough_to_call', lambda: is_enough_to_call(port))


async def reflect(port, *arguments):
    """What `reflect.py` prints."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, Path(__file__).with_name('reflect.py'), f'127.0.0.1:{port}', *arguments,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    equal(process.returncode, 0, 'exit status')
    return [json.loads(line) for line in out.decode().splitlines()]


async def names_the_service(port):
    services = {service['service']: service['methods'] for service in await reflect(port)}
    holds(any(name.startswith('grpc.reflection.') for name in services), 'reflection names itself', list(services))
    equal(len(services['lf.a2a.v1.A2AService']), 11, 'methods')


async def is_enough_to_call(port):
    request = json.dumps({'message': {'messageId': '1', 'role': 'ROLE_USER', 'parts': [{'text': 'hi'}]}})
    [answer] = await reflect(port, 'SendMessage', request)
    equal(answer['task']['status']['state'], 'TASK_STATE_COMPLETED', 'state')
    events = await reflect(port, 'SendStreamingMessage', request)
    holds('task' in events[0], 'a stream begins with the task', events[0])
    equal(events[-1]['statusUpdate']['status']['state'], 'TASK_STATE_COMPLETED', 'last state')


async def main():
    """Reads the options and runs what they ask for; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--hello', metavar='COMMAND')
    parser.add_argument('--conformance', metavar='COMMAND')
    parser.add_argument('--only', metavar='REGEX', help='only checks whose name matches')
    parser.add_argument('--trace', action='store_true', help='the place of each failure as well')
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    # A check that fails leaves the calls that it did not come to.
    warnings.filterwarnings('ignore', message='coroutine .* was never awaited')
    report = Report(trace=options.trace, only=options.only)
    if options.hello:
        await hello_run(report, options.hello)
    if options.conformance:
        await conformance_runs(report, options.conformance)
        await reflection_run(report, options.conformance)
    return report.finish()


if __name__ == '__main__':
    sys.exit(asyncio.run(main()))
