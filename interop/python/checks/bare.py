"""The conformance agent with `--bare`."""

from harness import equal, holds
from peer import message, state


async def bare_card_declares_nothing(peer):
    capabilities = peer.card.capabilities
    holds(not capabilities.streaming, 'no streaming')
    holds(not capabilities.push_notifications, 'no push notifications')
    holds(not capabilities.extended_agent_card, 'no extended card')


async def bare_agent_answers(peer):
    equal(state(await peer.task(message('hello'))), 'COMPLETED', 'state')
    # The client reads the card and sends without a stream by itself.
    answers = await peer.events(message('hello'))
    equal([answer.WhichOneof('payload') for answer in answers], ['task'], 'answers')


async def bare_agent_refuses_streams(peer):
    claims = ('streaming',)
    await peer.refused('UNSUPPORTED_OPERATION', peer.stream(message('hello'), claims=claims))
    parked = await peer.task(message('ask'))
    await peer.refused('UNSUPPORTED_OPERATION', peer.subscribe(parked.id, claims=claims))
    # The capability is looked at before the task.
    await peer.refused('UNSUPPORTED_OPERATION', peer.subscribe('no-such-task', claims=claims))


async def bare_agent_refuses_the_extended_card(peer):
    await peer.refused('UNSUPPORTED_OPERATION', peer.extended_card(claims=('extended_agent_card',)))
