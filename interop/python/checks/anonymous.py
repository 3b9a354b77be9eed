"""The conformance agent with `--allow-anonymous-extended-card` and no authentication."""

from harness import equal, holds


async def extended_card_is_for_anybody(peer):
    holds(peer.card.capabilities.extended_agent_card, 'an extended card is declared')
    equal([skill.id for skill in peer.card.skills], ['echo'], 'skills of the public card')
    card = await peer.extended_card()
    equal([skill.id for skill in card.skills], ['echo', 'hidden'], 'skills')
