"""The conformance agent with `--broken`."""

from peer import message


async def declared_card_is_not_configured(peer):
    await peer.refused('EXTENDED_AGENT_CARD_NOT_CONFIGURED', peer.extended_card())


async def answer_of_the_agent_is_invalid(peer):
    for call in (peer.send, peer.stream):
        await peer.refused('INVALID_AGENT_RESPONSE', call(message('hello')))
