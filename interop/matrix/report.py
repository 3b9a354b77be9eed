"""One line a cell, and the matrix at the end."""

import asyncio
import re
import tomllib

SECONDS = 60
SIDES = {'server': 'our client, their server', 'client': 'their client, our server'}


class Matrix:
    """What became of each cell: a peer, the side that it is on, a binding and a scenario."""

    def __init__(self, expected, only):
        cells = tomllib.loads(expected.read_text())['cell'] if expected.exists() else []
        self._expected = {(c['peer'], c['side'], c['binding'], c['scenario']): c for c in cells}
        self._only = only
        self._cells = {}

    async def check(self, peer, side, binding, scenario, run):
        """Runs a scenario; an exception of any kind is a failure."""
        if self._only and not re.search(self._only, f'{peer}/{side}/{binding}/{scenario}'):
            return
        try:
            async with asyncio.timeout(SECONDS):
                await run()
        except TimeoutError:
            self.fail(peer, side, binding, scenario, f'not done within {SECONDS} s')
        except Exception as error:  # noqa: BLE001
            self.fail(peer, side, binding, scenario, f'{type(error).__name__}: {error}')
        else:
            self.succeed(peer, side, binding, scenario)

    def told(self, peer, side, line):
        """Takes the line of a client program."""
        match = re.fullmatch(r'(ok|FAIL) ([^/ ]+(?:/JSON|\+JSON)?)/(\w+)(?: (.*))?', line)
        if not match:
            print(f'     {line}', flush=True)
            return
        outcome, binding, scenario, reason = match.groups()
        if self._only and not re.search(self._only, f'{peer}/{side}/{binding}/{scenario}'):
            return
        if outcome == 'ok':
            self.succeed(peer, side, binding, scenario)
        else:
            self.fail(peer, side, binding, scenario, reason or 'no reason')

    def must_be_told(self, peer, side, binding, scenario):
        """A cell that a client program said nothing about does not work."""
        wanted = not self._only or re.search(self._only, f'{peer}/{side}/{binding}/{scenario}')
        if wanted and (peer, side, binding, scenario) not in self._cells:
            self.fail(peer, side, binding, scenario, 'nothing was told')

    def succeed(self, peer, side, binding, scenario):
        """Counts a cell that works."""
        cell = (peer, side, binding, scenario)
        if cell in self._expected:
            self._cells[cell] = 'NEW'
            print(f'FAIL {"/".join(cell)} works now: take it out of expected.toml', flush=True)
        else:
            self._cells[cell] = 'ok'
            print(f'ok {"/".join(cell)}', flush=True)

    def fail(self, peer, side, binding, scenario, reason):
        """Counts a cell that does not."""
        cell = (peer, side, binding, scenario)
        reason = ' | '.join(reason.split('\n'))[:1500]
        known = self._expected.get(cell)
        if known:
            self._cells[cell] = '-'
            print(f'no {"/".join(cell)} {known["reason"]} ({known["see"]})', flush=True)
        else:
            self._cells[cell] = 'FAIL'
            print(f'FAIL {"/".join(cell)} {reason}', flush=True)

    def finish(self, peers, bindings):
        """Prints the matrix; the exit status."""
        names = list(dict.fromkeys(cell[3] for cell in self._cells))
        for side, title in SIDES.items():
            columns = [(peer, binding) for peer in peers for binding in bindings]
            print(f'\n{title}')
            print(f'{"":24}' + ''.join(f'{f"{peer} {binding}":22}' for peer, binding in columns))
            for name in names:
                row = [self._cells.get((peer, side, binding, name), '') for peer, binding in columns]
                if any(row):
                    print(f'{name:24}' + ''.join(f'{state:22}' for state in row))
        counts = {state: list(self._cells.values()).count(state) for state in ('ok', '-', 'FAIL', 'NEW')}
        print(
            f'\n{counts["ok"]} work, {counts["-"]} are known not to, '
            f'{counts["FAIL"]} fail, {counts["NEW"]} work unexpectedly'
        )
        return 1 if counts['FAIL'] or counts['NEW'] or not counts['ok'] else 0
