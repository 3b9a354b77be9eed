"""The conformance agent with `--auth bearer:TOKEN=NAME,...`."""

from a2a.client.auth import AuthInterceptor
from a2a.client.auth.credentials import CredentialService

from harness import equal, holds
from peer import Peer, message, state

ALICE, BOB = 'token-of-alice', 'token-of-bob'
OPTION = f'bearer:{ALICE}=alice,{BOB}=bob'


class _Token(CredentialService):
    """The same token for every scheme of the card."""

    def __init__(self, token):
        self._token = token

    async def get_credentials(self, security_scheme_name, context):  # noqa: ARG002
        return self._token


def _as(peer, token):
    """The same agent, called with a token by the client's own means."""
    return Peer(peer.base, peer.binding, interceptors=[AuthInterceptor(_Token(token))])


async def card_is_public_and_names_the_scheme(peer):
    card = peer.card
    schemes = [s.http_auth_security_scheme.scheme.lower() for s in card.security_schemes.values()]
    equal(schemes, ['bearer'], 'schemes')
    equal([list(r.schemes) for r in card.security_requirements], [list(card.security_schemes)], 'requirements')
    holds(card.capabilities.extended_agent_card, 'an extended card is declared')
    equal([skill.id for skill in card.skills], ['echo'], 'skills of the public card')


async def calls_without_or_with_wrong_credentials_are_refused(peer):
    for headers in (None, {'Authorization': 'Bearer wrong'}, {'Authorization': 'Basic dTpw'}):
        for call in (peer.send, peer.stream):
            answer = await peer.refused('UNAUTHENTICATED', call(message('hello'), headers=headers))
            holds(answer.headers.get('www-authenticate', '').startswith('Bearer'), 'a challenge is given')
    for call in (peer.get('x'), peer.list(), peer.cancel('x'), peer.subscribe('x'), peer.extended_card()):
        await peer.refused('UNAUTHENTICATED', call)


async def tasks_are_their_owners_alone(peer):
    async with _as(peer, ALICE) as alice, _as(peer, BOB) as bob:
        context = f'owners-{peer.binding}'
        hers = await alice.task(message('ask', context_id=context))
        equal(state(hers), 'INPUT_REQUIRED', 'state')
        for call in (
            bob.get(hers.id),
            bob.cancel(hers.id),
            bob.subscribe(hers.id),
            bob.send(message('hello', task_id=hers.id)),
            bob.stream(message('hello', task_id=hers.id)),
        ):
            await bob.refused('TASK_NOT_FOUND', call, metadata={'taskId': hers.id})
        equal((await bob.list(context_id=context)).total_size, 0, "tasks in bob's list")
        equal([t.id for t in (await alice.list(context_id=context)).tasks], [hers.id], "tasks in alice's list")
        equal(await alice.get(hers.id), hers, 'the task afterwards')


async def resent_message_finds_its_task(peer):
    async with _as(peer, ALICE) as alice, _as(peer, BOB) as bob:
        sent = message('hello', id=f'resent-{peer.binding}')
        first = await alice.task(sent)
        equal(await alice.task(sent), first, 'the same message again')
        other = await alice.task(message('hello you', id=sent.message_id))
        holds(other.id != first.id, 'another message under the same id')
        holds((await bob.task(sent)).id != first.id, 'the same message of somebody else')


async def extended_card_is_for_known_callers(peer):
    async with _as(peer, ALICE) as alice:
        card = await alice.extended_card()
        equal([skill.id for skill in card.skills], ['echo', 'hidden'], 'skills')
        equal(list(card.supported_interfaces), list(peer.card.supported_interfaces), 'interfaces')
