"""What the kit and its Python agent need, as requirements of registries.

The kit names the SDK by its repository and a tag; the release of that tag is in the registry."""

import re
import sys
import tomllib
from pathlib import Path

# What the kit itself needs beside that, without the tools that it starts everything with.
OF_THE_KIT = ['httpx', 'httpx-sse']

agent = Path(sys.argv[1]) / 'agents/python/v10/pyproject.toml'
for dependency in [*tomllib.loads(agent.read_text())['project']['dependencies'], *OF_THE_KIT]:
    print(re.sub(r' @ git\+\S+@v', '==', dependency))
