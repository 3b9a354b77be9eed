"""The runs of the matrix: options of the agent, and what the clients tell about."""

EXTENSION = 'urn:example:Required/v1'
ALICE, BOB = 'token-of-alice', 'token-of-bob'

RUNS = {
    'default': [],
    'bare': ['--bare'],
    'auth': ['--auth', f'bearer:{ALICE}=alice,{BOB}=bob'],
    'extension': ['--require-extension', EXTENSION],
    # Declares an extended card that is not set up; answers no message with what it said it would.
    'broken': ['--broken'],
}
TOKENS = {'auth': ALICE}

# What each client program tells about, by run.
CLIENT = {
    'default': (
        'card', 'send_blocking', 'send_immediate', 'stream', 'stream_burst', 'subscribe', 'history', 'list',
        'cancel', 'cancel_twice', 'follow_up', 'auth_required', 'direct_message', 'kinds', 'null_data', 'large',
        'states', 'push_configs', 'push_delivery', 'errors', 'invalid', 'content_type', 'tenant', 'version',
    ),
    'bare': ('capabilities',),
    'auth': ('credentials', 'extended_card'),
    'extension': ('extension',),
    'broken': ('card_not_configured', 'invalid_agent_response'),
}
