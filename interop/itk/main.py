"""Runs the scenarios of the integration kit; see `run`.

The kit starts everything with `uv` and frees its ports by killing whoever has them. Here it gets
launchers that start what `run` has installed, and what was started is ended by its process."""

import argparse
import asyncio
import logging
import re
import subprocess
import sys
from pathlib import Path

PROTOCOLS = ('jsonrpc', 'http_json', 'grpc')
BEHAVIORS = {
    'send': {'behavior': 'send_message'},
    'stream': {'behavior': 'send_message', 'streaming': True},
    'push': {'behavior': 'push_notification'},
    'resubscribe': {'behavior': 'resubscribe', 'streaming': True},
}
OURS = 'current'
# A scenario that hangs.
SECONDS = 300


def scenarios(kit_cases, agents):
    """The kit's own scenarios of these agents; and a star, in which our agent calls each of the others
    and each of the others calls ours, in every way over every binding."""
    for case in kit_cases:
        if OURS in case['sdks'] and set(case['sdks']) <= set(agents):
            yield dict(case)
    star = [edge for other in range(1, len(agents)) for edge in (f'0->{other}', f'{other}->0')]
    for protocol in PROTOCOLS:
        for name, behavior in BEHAVIORS.items():
            yield {
                'name': f'star-{protocol}-{name}', 'sdks': agents, 'edges': star,
                'protocols': [protocol], 'build_subtests': True, **behavior,
            }


class Cluster:
    """The processes of a run, each with a log of its own."""

    def __init__(self, options):
        self._options = options
        self._running = {}

    def launchers(self):
        """The command of each agent and where it runs, ours first."""
        kit, place = self._options.kit, self._options.place
        found = {
            OURS: ([self._options.agent], place),
            'python_v10': ([sys.executable, 'main.py'], kit / 'agents/python/v10'),
            'ts_v10': ([place / 'ts/node_modules/.bin/tsx', 'main.ts'], place / 'ts'),
        }
        if (place / 'go_v10').exists():
            found['go_v10'] = ([place / 'go_v10'], place)
        return found

    def launcher(self, name):
        command, folder = self.launchers()[name]
        return lambda http, grpc: self.start(
            http, name, [*command, '--httpPort', str(http), '--grpcPort', str(grpc)], folder
        )

    def start(self, port, name, command, folder):
        with open(self._options.place / f'{name}.log', 'w') as log:
            process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self._running[port] = process
        return process

    def end(self, *ports):
        """In place of the kit's way to free a port."""
        for port in ports:
            process = self._running.pop(port, None)
            if process and process.poll() is None:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()

    async def receiver(self, port, _):
        """In place of the kit's start of its receiver of webhooks, with the kit's receiver."""
        command = [
            sys.executable, '-m', 'uvicorn', 'notifications_app:create_notifications_app',
            '--factory', '--host', '127.0.0.1', '--port', str(port),
        ]
        process = self.start(port, 'notifications', command, self._options.kit)
        async with asyncio.timeout(30):
            while True:
                try:
                    _, writer = await asyncio.open_connection('127.0.0.1', port)
                    writer.close()
                    return process
                except OSError:
                    await asyncio.sleep(0.1)


async def main(options):
    sys.path.insert(0, str(options.kit))
    import run_tests
    import test_suite
    import testlib
    # The kit tells the whole of every message.
    logging.basicConfig(filename=options.place / 'kit.log', filemode='w', level=logging.INFO, force=True)

    cluster = Cluster(options)
    testlib._clean_ports = cluster.end
    testlib.start_notification_server = cluster.receiver
    agents = [*cluster.launchers()]
    for name in agents:
        test_suite._AGENT_DEFS[name] = {'launcher': cluster.launcher(name)}

    results = {}
    processes, _, ports = await testlib.start_itk_cluster(agents)
    try:
        for case in scenarios(run_tests.TEST_CASES, agents):
            if options.only and not re.search(options.only, case['name']):
                continue
            for name, passed in (await run(testlib, case)).items():
                results[name] = passed
                print('ok' if passed else 'FAIL', name, flush=True)
    finally:
        testlib.stop_itk_cluster(processes, ports)
    failed = [name for name, passed in results.items() if not passed]
    print(f'{len(results) - len(failed)} passed, {len(failed)} failed')
    if options.record:
        record(options.kit, results)
    return 1 if failed or not results else 0


async def run(testlib, case):
    """The scenario and its parts by name, and whether they passed."""
    name = case.pop('name')
    try:
        async with asyncio.timeout(SECONDS):
            parts = await testlib.execute_itk_test(scenario_name=name, **case)
        return {part: details['passed'] for part, details in parts.items()}
    except Exception:  # noqa: BLE001
        logging.exception(name)
        return {name: False}


def record(kit, results):
    """Keeps the results beside this file."""
    commit = subprocess.run(['git', '-C', kit, 'rev-parse', '--short=10', 'HEAD'], capture_output=True, text=True)
    lines = [
        '# Written by `interop/itk/run --record`.',
        f'commit = "{commit.stdout.strip() or "unknown"}"',
        '',
        '[results]',
        *(f'"{name}" = "{"passed" if passed else "failed"}"' for name, passed in results.items()),
    ]
    Path(__file__).with_name('results.toml').write_text('\n'.join(lines) + '\n')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--kit', type=Path, required=True)
    parser.add_argument('--place', type=Path, required=True)
    parser.add_argument('--agent', type=Path, required=True)
    parser.add_argument('--only', metavar='REGEX')
    parser.add_argument('--record', action='store_true')
    sys.exit(asyncio.run(main(parser.parse_args())))
