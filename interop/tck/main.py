"""Runs the compatibility kit and compares with what is expected; see `run`."""

import argparse
import asyncio
import fnmatch
import json
import re
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).parent
EXTENSION = 'urn:a2a:tck:required-extension'
# Options of the agent, and arguments of the kit.
RUNS = {
    'full': (['--allow-anonymous-extended-card'], []),
    'bare': (['--bare'], []),
    'extension': (['--require-extension', EXTENSION], ['-k', 'required_extension']),
}
STORES = ('memory', 'sqlite')
START_SECONDS = 60
STOP_SECONDS = 15
RUN_SECONDS = 900


async def main(options):
    expected = tomllib.loads((HERE / 'expected.toml').read_text())['expected']
    outcomes = {}
    for run in RUNS:
        for store in STORES:
            name = f'{run}-{store}'
            if not options.only or re.search(options.only, name):
                outcomes[name] = await once(options, name, run, store)
    surprises = [surprise for name, tests in outcomes.items() for surprise in judge(name, tests, expected)]
    if not options.arguments:
        surprises += [gone for name, tests in outcomes.items() for gone in missing(name, tests, expected)]
    if not options.record:
        surprises += [skip for name, tests in outcomes.items() for skip in skips(name, tests)]
    for surprise in surprises:
        print('FAIL', surprise)
    if options.record:
        (HERE / 'results.toml').write_text(record(options.kit, outcomes, expected))
    print(f'{len(outcomes)} runs, {len(surprises)} surprises')
    return 1 if surprises or not outcomes else 0


async def once(options, name, run, store):
    """The outcomes of the kit's tests: (outcome, reason) by name."""
    agent_options, kit_options = RUNS[run]
    database = options.place / f'{name}.sqlite'
    for file in options.place.glob(f'{database.name}*'):
        file.unlink()
    store = f'sqlite:{database}' if store == 'sqlite' else store
    report = options.place / f'{name}.xml'
    report.unlink(missing_ok=True)
    with open(options.place / f'{name}.agent.log', 'w') as log, open(options.place / f'{name}.log', 'w') as told:
        agent = await asyncio.create_subprocess_exec(
            options.agent, '--port', str(free_port()), '--store', store, *agent_options,
            stdout=asyncio.subprocess.PIPE, stderr=log,
        )
        try:
            async with asyncio.timeout(START_SECONDS):
                ready = (await agent.stdout.readline()).decode().split()
            if ready[:1] != ['READY']:
                sys.exit(f'{name}: the agent does not start')
            kit = await asyncio.create_subprocess_exec(
                sys.executable, '-m', 'pytest', 'tests/compatibility', '-q', '-p', 'no:cacheprovider',
                f'--sut-host={ready[1]}', f'--junitxml={report}', *kit_options, *options.arguments,
                cwd=options.kit, stdout=told, stderr=told,
            )
            async with asyncio.timeout(RUN_SECONDS):
                await kit.wait()
        finally:
            await end(agent)
    tests = read(report)
    counts = ', '.join(f'{count} {outcome}' for outcome, count in counted(tests).items())
    print(f'{name}: {counts}', flush=True)
    return tests


async def end(agent):
    if agent.returncode is None:
        agent.terminate()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await agent.wait()
        except TimeoutError:
            agent.kill()
            await agent.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def read(report):
    tests = {}
    for case in ElementTree.parse(report).iter('testcase'):
        file = case.get('classname').removeprefix('tests.compatibility.')
        result = next((part for part in case if part.tag in ('failure', 'error', 'skipped')), None)
        outcome = 'passed' if result is None else result.tag.replace('failure', 'failed')
        reason = '' if result is None else result.get('message', '').split('\n')[0]
        tests[f'{file}.{case.get("name")}'] = outcome, reason
    return tests


def counted(tests):
    outcomes = [outcome for outcome, _ in tests.values()]
    return {outcome: outcomes.count(outcome) for outcome in ('passed', 'failed', 'error', 'skipped') if outcome in outcomes}


def row_of(run, test, expected):
    """The row of the expectations that is about a test of a run."""
    for row in expected:
        if any(fnmatch.fnmatchcase(run, each) for each in row['runs']) and test in row['tests']:
            return row
    return None


def judge(run, tests, expected):
    """What is not as expected. Errors are no failures and always a surprise."""
    for test, (outcome, reason) in tests.items():
        row = row_of(run, test, expected)
        if outcome == 'error' or outcome == 'failed' and row is None:
            yield f'{run} {test}: {reason}'
        elif outcome != 'failed' and row is not None:
            yield f'{run} {test}: {outcome}, although it is in expected.toml'


def missing(run, tests, expected):
    """Expected failures of tests that there are not."""
    for row in expected:
        if any(fnmatch.fnmatchcase(run, each) for each in row['runs']):
            yield from (f'{run} {test}: there is no such test' for test in row['tests'] if test not in tests)


def skips(run, tests):
    """Tests that are skipped and were not when the results were recorded: the kit also skips a test when
    what it prepares fails."""
    runs = tomllib.loads((HERE / 'results.toml').read_text())['runs']
    rows = [row for each in runs if each['name'] == run for row in each.get('others', []) if row['outcome'] == 'skipped']
    known = {test for row in rows for test in row['tests']}
    for test, (outcome, reason) in tests.items():
        if outcome == 'skipped' and test not in known:
            yield f'{run} {test}: skipped: {reason}'


def record(kit, outcomes, expected):
    """What did not pass, by its reason."""
    commit = subprocess.run(['git', '-C', kit, 'rev-parse', '--short=10', 'HEAD'], capture_output=True, text=True)
    lines = ['# Written by `interop/tck/run --record`.', f'commit = {text(commit.stdout.strip() or "unknown")}']
    for run, tests in outcomes.items():
        lines += ['', '[[runs]]', f'name = {text(run)}']
        lines += [f'{outcome} = {count}' for outcome, count in counted(tests).items()]
        reasons = {}
        for test, (outcome, reason) in tests.items():
            if outcome != 'passed':
                row = row_of(run, test, expected)
                known = row['reason'] if row and outcome == 'failed' else reason
                reasons.setdefault((outcome, known), []).append(test)
        for (outcome, reason), names in reasons.items():
            lines += ['[[runs.others]]', f'outcome = {text(outcome)}', f'reason = {text(reason)}', 'tests = [']
            lines += [f'    {text(name)},' for name in names] + [']']
    return '\n'.join(lines) + '\n'


def text(value):
    """A basic string of TOML."""
    return json.dumps(value, ensure_ascii=False)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--kit', type=Path, required=True)
    parser.add_argument('--place', type=Path, required=True)
    parser.add_argument('--agent', type=Path, required=True)
    parser.add_argument('--only', metavar='REGEX')
    parser.add_argument('--record', action='store_true')
    parser.add_argument('arguments', nargs='*', metavar='PYTEST-ARGUMENT')
    sys.exit(asyncio.run(main(parser.parse_args())))
