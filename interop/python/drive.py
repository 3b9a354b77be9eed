#!/usr/bin/env python3
"""The official Python client drives our example agents and looks closely at the answers.

    drive.py [--hello COMMAND] [--conformance COMMAND] [--only REGEX] [--trace]

A COMMAND starts the agent (a path, arguments allowed). One line a check, `ok NAME` or
`FAIL NAME REASON`, then `N passed, N failed`; the exit status is 1 when anything failed.
"""

import argparse
import asyncio
import inspect
import logging
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from checks import anonymous, auth, bare, cards, errors, extension, hello, sending, tasks, tck
from harness import Broken, Report, Server, command_line, equal, free_port, holds
from peer import HTTP_JSON, JSON_RPC, Peer

CARD = '/.well-known/agent-card.json'

# Name, options of the conformance agent, and the checks that it must pass with them.
RUNS = [
    ('default', [], [cards, sending, tasks, errors, tck]),
    ('bare', ['--bare'], [bare]),
    ('extension', ['--require-extension', extension.URI], [extension]),
    ('auth', ['--auth', auth.OPTION], [auth]),
    ('anonymous', ['--allow-anonymous-extended-card'], [anonymous]),
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
    """All checks over both bindings against a server that runs, and its end."""
    for binding in (JSON_RPC, HTTP_JSON):
        for module in modules:
            for name, check in checks_of(module):
                await report.check(f'{run}/{binding}/{name}', lambda c=check, b=binding: once(server, b, c))
    await report.check(f'{run}/ends_on_sigterm', lambda: ends(server))


async def once(server, binding, check):
    """One check with a client of its own; what travelled must be right as well."""
    async with Peer(server.base, binding) as peer:
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

    async with Server(command_line(command), port=port, ready=ready, environment={'PORT': str(port)}) as server:
        await report.check('hello/prints_where_the_card_is', lambda: prints_card(server))
        await report.check('hello/prints_a_command_that_works', lambda: prints_command(server))
        await drive(report, 'hello', server, [hello])


async def prints_card(server):
    holds(any(server.base + CARD in line for line in server.lines), 'the card URL is printed', server.lines)


async def prints_command(server):
    line = next(line for line in server.lines if line.strip().startswith('curl '))
    process = await asyncio.create_subprocess_shell(
        line, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await process.communicate()
    equal(process.returncode, 0, f'exit status of {line!r} ({err.decode()})')
    holds('TASK_STATE_COMPLETED' in out.decode(), 'the answer is a completed task', out.decode())


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
        async with Server(arguments, port=port, ready=lambda lines, r=ready: r in lines) as server:
            await drive(report, run, server, modules)
    await report.check('options/unknown_ones_are_refused', lambda: refuses_options(command))


async def refuses_options(command):
    for options in (['--no-such-option'], ['--port'], ['--port', 'x'], ['--pace', 'fast'], ['--auth', 'basic:a']):
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
    return report.finish()


if __name__ == '__main__':
    sys.exit(asyncio.run(main()))
