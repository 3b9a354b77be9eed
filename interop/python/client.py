#!/usr/bin/env python3
"""The official Python client for the matrix: the checks of `drive.py`, by scenario.

    client.py --base URL [--run RUN] [--token TOKEN]

The agent must have been started with the options of the run (`../matrix/runs.py`). One line a
scenario, `ok BINDING/SCENARIO` or `FAIL BINDING/SCENARIO REASON`; the exit status is 1 when one failed.
"""

import argparse
import asyncio
import logging
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import grpc
from a2a.types import a2a_pb2 as pb
from a2a.utils.grpc_status import status_from_call
from google.rpc import error_details_pb2

from checks import auth, bare, broken, cards, errors, extension, push, sending, tasks
from harness import CHECK_SECONDS, equal
from peer import GRPC, HTTP_JSON, JSON_RPC, Peer, message, state

async def large(peer):
    """1 MiB of text there and back."""
    text = 'ü🌍x "\\\n' * (1024 * 1024 // 12)
    task = await peer.task(message(text))
    assert task.artifacts[0].parts[0].text == f'echo: {text}'


async def strangers_are_refused(peer):
    """Over gRPC there is no challenge."""
    for headers in (None, {'Authorization': 'Bearer wrong'}, {'Authorization': 'Basic dTpw'}):
        for call in (peer.send, peer.stream):
            await peer.refused('UNAUTHENTICATED', call(message('hello'), headers=headers))
    for call in (peer.get('x'), peer.list(), peer.cancel('x'), peer.subscribe('x'), peer.extended_card()):
        await peer.refused('UNAUTHENTICATED', call)


async def extension_is_taken(peer):
    """Declared as metadata."""
    headers = {'A2A-Extensions': f'{extension.URI},urn:example:unknown'}
    equal(state(await peer.task(message('hello'), headers=headers)), 'COMPLETED', 'state')
    equal(len(await peer.events(message('hello'), headers=headers)), 4, 'events')


async def resumption(peer):
    """By the metadata `last-event-id`, also after the end."""
    events = await peer.events(message('stream 5'))
    task = events[0].task.id
    for seen in (1, 4, len(events) - 1):
        rest = [event async for event in peer.subscribe(task, headers={'last-event-id': str(seen)})]
        equal(rest, events[seen + 1 :], f'events after {seen + 1} of them')
    await peer.refused('UNSUPPORTED_OPERATION', peer.subscribe(task))


async def pages(peer):
    """Without gap or repeat."""
    context = 'pages-grpc'
    made = [(await peer.task(message(f'page {n}', context_id=context))).id for n in range(5)]
    found, token = [], ''
    while True:
        page = await peer.list(context_id=context, page_size=2, page_token=token)
        found += [task.id for task in page.tasks]
        if not (token := page.next_page_token):
            break
    equal(sorted(found), sorted(made), 'tasks of all pages')


async def version(peer):
    """By the stub alone: the client adds a version of its own, which makes two."""
    for version, good in (('9.9', False), ('0.3', False), ('', False), ('1.0', True), ('1.0.7', True)):
        call = peer.stub().ListTasks(pb.ListTasksRequest(), metadata=[('a2a-version', version)])
        try:
            await call
            reason = None
        except grpc.aio.AioRpcError as error:
            infos = [error_details_pb2.ErrorInfo.FromString(d.value) for d in status_from_call(error).details]
            reason = infos[0].reason
        equal(reason, None if good else 'VERSION_NOT_SUPPORTED', f'answer to version {version!r}')


SCENARIOS = {
    'default': {
        'card': [cards.card_tells_what_is_served, cards.card_is_cacheable],
        'send_blocking': [
            sending.blocking_send_answers_the_finished_task,
            sending.context_of_the_client_is_kept,
            sending.envelope_of_an_answer_is_exact,
        ],
        'send_immediate': [sending.immediate_send_answers_before_the_work],
        'stream': [sending.stream_has_every_step_in_order, sending.stream_brings_progress_at_once],
        'stream_burst': [sending.stream_of_many_chunks_is_whole],
        'subscribe': [
            tasks.subscription_begins_with_the_task_and_misses_nothing,
            tasks.closed_stream_stops_nobody,
            tasks.subscription_resumes_after_the_last_event,
            tasks.subscription_to_a_parked_task_sees_the_next_turn,
        ],
        'history': [
            sending.send_keeps_to_the_history_length,
            tasks.get_keeps_to_the_history_length,
            tasks.list_keeps_to_the_history_length,
        ],
        'list': [
            tasks.list_pages_without_gap_or_repeat,
            tasks.list_has_artifacts_only_when_asked,
            tasks.list_filters_together,
        ],
        'cancel': [tasks.cancel_stops_running_work, tasks.cancel_ends_whoever_waits],
        'cancel_twice': [errors.finished_task_is_not_canceled],
        'follow_up': [tasks.input_required_is_answered_by_the_next_turn, tasks.input_required_ends_a_stream],
        'auth_required': [tasks.auth_required_keeps_a_stream, tasks.auth_required_answers_a_blocking_send],
        'direct_message': [sending.direct_message_has_no_task, sending.direct_message_is_a_stream_of_one],
        'kinds': [sending.kinds_come_byte_for_byte, sending.every_part_of_the_user_is_kept],
        'null_data': [sending.null_is_kept],
        'large': [large],
        'states': [sending.failure_is_told, sending.rejection_is_told, sending.panic_becomes_a_clean_failure],
        'push_configs': [push.webhooks_are_registered_read_and_deleted],
        'push_delivery': [
            push.webhook_of_a_message_gets_every_event,
            push.webhook_of_a_task_gets_what_comes_after,
        ],
        'errors': [
            errors.unknown_task_is_not_found,
            errors.finished_task_takes_no_message,
            errors.finished_task_has_no_subscription,
        ],
        'content_type': [errors.unsupported_media_type_is_refused],
        'invalid': [
            errors.context_of_another_task_is_refused,
            errors.required_fields_are_all_named,
            errors.page_size_is_bounded,
        ],
        'tenant': [tasks.tenants_do_not_see_each_other],
        'version': [errors.version_is_checked_on_every_operation],
    },
    'bare': {
        'capabilities': [
            bare.bare_card_declares_nothing,
            bare.bare_agent_refuses_streams,
            bare.bare_agent_refuses_the_extended_card,
            bare.bare_agent_refuses_webhooks,
            bare.bare_agent_refuses_webhooks_along_with_messages,
        ],
    },
    'auth': {
        'credentials': [
            auth.calls_without_or_with_wrong_credentials_are_refused,
            auth.tasks_are_their_owners_alone,
        ],
        'resend': [auth.resent_message_finds_its_task],
        'extended_card': [auth.extended_card_is_for_known_callers],
    },
    'extension': {
        'extension': [
            extension.send_without_the_extension_is_refused,
            extension.send_with_the_extension_is_answered,
        ],
    },
    'broken': {
        'card_not_configured': [broken.declared_card_is_not_configured],
        'invalid_agent_response': [broken.answer_of_the_agent_is_invalid],
    },
}


# Over gRPC: what the checks of the envelopes are not about, and in their place its own.
OVER_GRPC = {
    sending.envelope_of_an_answer_is_exact: None,
    cards.card_is_cacheable: None,
    tasks.subscription_resumes_after_the_last_event: resumption,
    tasks.list_pages_without_gap_or_repeat: pages,
    errors.version_is_checked_on_every_operation: version,
    auth.calls_without_or_with_wrong_credentials_are_refused: strangers_are_refused,
    extension.send_with_the_extension_is_answered: extension_is_taken,
}


def of_binding(binding, checks):
    """The checks of a scenario over a binding."""
    if binding != GRPC:
        return checks
    found = [check for check in (OVER_GRPC.get(check, check) for check in checks) if check]
    assert found, 'every scenario has something to check'
    return found


async def run(base, binding, check):
    """One check with a client of its own; what travelled must be right as well."""
    async with asyncio.timeout(CHECK_SECONDS), Peer(base, binding) as peer:
        peer.begin()
        await check(peer)
        peer.verify()


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--base', required=True)
    parser.add_argument('--run', choices=SCENARIOS, default='default')
    parser.add_argument('--token', help='not needed: the checks bring their own')
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    # A check that fails leaves the calls that it did not come to.
    warnings.filterwarnings('ignore', message='coroutine .* was never awaited')
    failed = 0
    for binding in (JSON_RPC, HTTP_JSON, GRPC):
        for name, checks in SCENARIOS[options.run].items():
            checks = of_binding(binding, checks)
            try:
                for check in checks:
                    await run(options.base, binding, check)
                print(f'ok {binding}/{name}', flush=True)
            except Exception as error:  # noqa: BLE001
                failed += 1
                reason = ' | '.join(f'{check.__name__}: {type(error).__name__}: {error}'.split('\n'))
                print(f'FAIL {binding}/{name} {reason}', flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(asyncio.run(main()))
