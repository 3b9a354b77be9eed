"""The programs on the official SDKs."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
# What `interop/run` has built.
BUILT = Path(os.environ.get('CARGO_TARGET_DIR', 'target'), 'interop').resolve()


@dataclass(frozen=True)
class Peer:
    """An SDK: the command of its server, which takes the options of the conformance agent, and that
    of its client, which takes `--base`, `--run` and `--token` and prints a line for each scenario:
    `ok BINDING/SCENARIO` or `FAIL BINDING/SCENARIO REASON`."""

    name: str
    server: list
    client: list


PEERS = {
    peer.name: peer
    for peer in (
        Peer(
            'python',
            [sys.executable, ROOT / 'python' / 'server.py'],
            [sys.executable, ROOT / 'python' / 'client.py'],
        ),
        Peer(
            'javascript',
            ['node', ROOT / 'js' / 'server.mjs'],
            ['node', ROOT / 'js' / 'drive.mjs'],
        ),
        Peer('go', [BUILT / 'go' / 'server'], [BUILT / 'go' / 'client']),
        Peer(
            'java',
            ['java', f'@{BUILT}/java/arguments', 'interop.Server'],
            ['java', f'@{BUILT}/java/arguments', 'interop.ClientMain'],
        ),
        Peer('rust', [BUILT / 'rust' / 'debug' / 'server'], [BUILT / 'rust' / 'debug' / 'client']),
    )
}
