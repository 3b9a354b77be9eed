"""Tasks of the conformance agent: get, list, cancel, subscribe, and further turns."""

import asyncio

from a2a.types import a2a_pb2 as pb

from checks.sending import agent_said, artifact_of, steady, stored
from harness import equal, holds
from peer import HTTP_JSON, fold, kind, message, state, struct, text_of


async def get_answers_what_send_did(peer):
    task = await peer.task(message('hello'))
    equal(await peer.get(task.id), task, 'task')


async def get_keeps_to_the_history_length(peer):
    first = await peer.task(message('ask one'))
    for text in ('ask two', 'ask three'):
        await peer.task(message(text, task_id=first.id))
    full = list((await peer.get(first.id)).history)
    equal([m.role for m in full], [pb.ROLE_USER, pb.ROLE_AGENT] * 2 + [pb.ROLE_USER], 'who spoke')
    equal([text_of(m.parts) for m in full[::2]], ['ask one', 'ask two', 'ask three'], 'what the user said')
    for length in range(1, len(full) + 2):
        some = list((await peer.get(first.id, history_length=length)).history)
        equal(some, full[-length:], f'messages at {length}')
    await peer.get(first.id, history_length=0)
    holds('history' not in peer.result(), 'no `history` member at 0')


async def list_pages_without_gap_or_repeat(peer):
    context = f'pages-{peer.binding}'
    made = [(await peer.task(message(f'page {n}', context_id=context))) for n in range(5)]
    seen, sizes, token = [], [], ''
    while True:
        page = await peer.list(context_id=context, page_size=2, page_token=token)
        sizes.append(len(page.tasks))
        equal((page.page_size, page.total_size), (2, 5), 'applied and total size')
        seen += page.tasks
        token = page.next_page_token
        if not token:
            break
    equal(peer.result()['nextPageToken'], '', 'token of the last page')
    equal(sizes, [2, 2, 1], 'sizes of the pages')
    equal(sorted(t.id for t in seen), sorted(t.id for t in made), 'tasks')
    keys = [(t.status.timestamp.ToNanoseconds(), t.id) for t in seen]
    equal(keys, sorted(keys, reverse=True), 'newest first')


async def list_has_artifacts_only_when_asked(peer):
    context = f'artifacts-{peer.binding}'
    task = await peer.task(message('hello', context_id=context))
    for options in ({}, {'include_artifacts': False}):
        page = await peer.list(context_id=context, **options)
        equal(len(page.tasks), 1, 'tasks')
        holds('artifacts' not in peer.result()['tasks'][0], 'no `artifacts` member')
        equal(list(page.tasks[0].history), list(task.history), 'history')
    page = await peer.list(context_id=context, include_artifacts=True)
    equal(list(page.tasks), [task], 'the whole task')


async def list_filters_together(peer):
    context = f'filters-{peer.binding}'
    texts = ('hello 1', 'ask 2', 'hello 3', 'ask 4', 'hello 5')
    made = [await peer.task(message(text, context_id=context)) for text in texts]
    await peer.task(message('hello', context_id=f'other-{context}'))

    async def ids(**fields):
        page = await peer.list(context_id=context, **fields)
        equal(page.total_size, len(page.tasks), 'total size')
        return {t.id for t in page.tasks}

    equal(await ids(), {t.id for t in made}, 'of the context')
    equal(await ids(status=pb.TASK_STATE_INPUT_REQUIRED), {made[1].id, made[3].id}, 'waiting for input')
    equal(await ids(status=pb.TASK_STATE_CANCELED), set(), 'canceled')
    # Inclusive; two tasks may share a millisecond.
    since = made[2].status.timestamp
    late = {t.id for t in made if t.status.timestamp.ToNanoseconds() >= since.ToNanoseconds()}
    equal(await ids(status_timestamp_after=since), late, 'since the third')
    equal(
        await ids(status_timestamp_after=since, status=pb.TASK_STATE_INPUT_REQUIRED),
        late & {made[1].id, made[3].id},
        'waiting for input since the third',
    )


async def list_keeps_to_the_history_length(peer):
    context = f'history-{peer.binding}'
    task = await peer.task(message('ask', context_id=context))
    task = await peer.task(message('hello', task_id=task.id))
    page = await peer.list(context_id=context, history_length=1)
    equal(list(page.tasks[0].history), list(task.history)[-1:], 'messages at 1')
    await peer.list(context_id=context, history_length=0)
    holds('history' not in peer.result()['tasks'][0], 'no `history` member at 0')


async def cancel_stops_running_work(peer):
    task = await peer.start(message('forever'), 'WORKING')
    canceled = await peer.cancel(task.id, metadata=struct({'why': 'enough'}))
    equal((canceled.id, state(canceled)), (task.id, 'CANCELED'), 'id and state')
    kept = await peer.get(task.id)
    equal(kept.status, canceled.status, 'status')
    await peer.refused('TASK_NOT_CANCELABLE', peer.cancel(task.id))
    equal(await peer.get(task.id), kept, 'the task afterwards')


async def cancel_ends_whoever_waits(peer):
    context = f'cancel-{peer.binding}'
    blocked = asyncio.create_task(peer.task(message('forever', context_id=context)))
    while not (page := await peer.list(context_id=context)).tasks:
        await asyncio.sleep(0.02)
    task = await peer.until(page.tasks[0].id, 'WORKING')
    subscription = peer.subscribe(task.id)
    events = [await anext(subscription)]
    canceled = await peer.cancel(task.id)
    events += [event async for event in subscription]
    equal(kind(events[-1]), 'status CANCELED', 'last event')
    equal(state(await blocked), 'CANCELED', 'state in the blocked answer')
    equal((await blocked).status, canceled.status, 'status')


async def cancel_works_on_a_parked_task(peer):
    for text, parked in (('ask', 'INPUT_REQUIRED'), ('auth', 'AUTH_REQUIRED')):
        task = await peer.task(message(text))
        equal(state(task), parked, 'state')
        equal(state(await peer.cancel(task.id)), 'CANCELED', f'state after {parked}')
        equal(state(await peer.get(task.id)), 'CANCELED', 'state, read again')


async def subscription_begins_with_the_task_and_misses_nothing(peer):
    begun = await peer.start(message('slow'), 'WORKING')
    events = [event async for event in peer.subscribe(begun.id)]
    equal(kind(events[0]), 'task WORKING', 'first event')
    equal(kind(events[-1]), 'status COMPLETED', 'last event')
    steady(events)
    folded, kept = fold(events), await peer.get(begun.id)
    equal(list(folded.artifacts), list(kept.artifacts), 'artifacts as told by the events')
    equal(folded.status, kept.status, 'status as told by the events')


async def subscribers_see_the_same(peer):
    begun = await peer.start(message('slow'), 'WORKING')

    async def follow():
        return [event async for event in peer.subscribe(begun.id)]

    one, two = await asyncio.gather(follow(), follow())
    shared = min(len(one), len(two)) - 1
    holds(shared >= 1, 'both saw something', [len(one), len(two)])
    equal(one[-shared:], two[-shared:], 'events of the two')


async def closed_stream_stops_nobody(peer):
    stream = peer.stream(message('slow'))
    first = await anext(stream)
    await stream.aclose()
    done = await peer.until(first.task.id, 'COMPLETED')
    equal(text_of(artifact_of(done, 'slow').parts), 'chunk 1;chunk 2;chunk 3;', 'artifact')


async def subscription_resumes_after_the_last_event(peer):
    events = await peer.events(message('stream 5'))
    ids = [id for _, id, _ in peer.last.events()]
    task = events[0].task.id
    for seen in (1, 4, len(events) - 1):
        rest = [e async for e in peer.subscribe(task, headers={'Last-Event-ID': ids[seen]})]
        equal(rest, events[seen + 1 :], f'events after {seen + 1} of them')
        equal([id for _, id, _ in peer.last.events()], ids[seen + 1 :], 'their ids')
    await peer.refused('UNSUPPORTED_OPERATION', peer.subscribe(task))


async def subscription_to_a_parked_task_sees_the_next_turn(peer):
    parked = await peer.task(message('ask'))
    subscription = peer.subscribe(parked.id)
    events = [await anext(subscription)]
    equal(events[0].task, parked, 'first event')
    await peer.task(message('hello', task_id=parked.id))
    events += [event async for event in subscription]
    equal(
        steady(events),
        ['task INPUT_REQUIRED', 'status WORKING', 'artifact echo', 'status COMPLETED'],
        'events',
    )


async def input_required_is_answered_by_the_next_turn(peer):
    first = message('ask me')
    parked = await peer.task(first)
    equal(state(parked), 'INPUT_REQUIRED', 'state')
    agent_said(parked)
    second = message('ask more', task_id=parked.id, context_id=parked.context_id)
    again = await peer.task(second)
    equal((again.id, state(again)), (parked.id, 'INPUT_REQUIRED'), 'the second turn')
    last = message('the answer', task_id=parked.id)
    done = await peer.task(last)
    equal((done.id, done.context_id, state(done)), (parked.id, parked.context_id, 'COMPLETED'), 'the third turn')
    equal(text_of(artifact_of(done, 'echo').parts), 'echo: the answer', 'artifact')
    said = [first, parked.status.message, second, again.status.message, last]
    equal(list(done.history), [stored(m, done) for m in said], 'history')


async def input_required_ends_a_stream(peer):
    events = await peer.events(message('ask me'))
    equal(steady(events), ['task SUBMITTED', 'status INPUT_REQUIRED'], 'events')
    agent_said(events[-1].status_update)
    task = events[0].task
    more = await peer.events(message('hello', task_id=task.id))
    equal(more[0].task.id, task.id, 'task of the second stream')
    equal([kind(e) for e in more[1:]], ['status WORKING', 'artifact echo', 'status COMPLETED'], 'second stream')
    said = [text_of(m.parts) for m in more[0].task.history if m.role == pb.ROLE_USER]
    equal(said, ['ask me', 'hello'], 'what the user said, in the first event')


async def auth_required_keeps_a_stream(peer):
    stream = peer.stream(message('auth please'))
    events = [await anext(stream), await anext(stream)]
    equal(steady(events), ['task SUBMITTED', 'status AUTH_REQUIRED'], 'events')
    agent_said(events[1].status_update)
    task = await peer.task(message('hello', task_id=events[0].task.id))
    equal(state(task), 'COMPLETED', 'state')
    events += [event async for event in stream]
    equal(
        steady(events)[2:],
        ['status WORKING', 'artifact echo', 'status COMPLETED'],
        'events after the authorization',
    )


async def auth_required_answers_a_blocking_send(peer):
    task = await peer.task(message('auth please'))
    equal(state(task), 'AUTH_REQUIRED', 'state')
    agent_said(task)


async def tenants_do_not_see_each_other(peer):
    task = await peer.task(message('ask'), tenant='acme')
    equal((await peer.get(task.id, tenant='acme')).id, task.id, 'the task in its tenant')
    for tenant in ('', 'other'):
        for call in (peer.get, peer.cancel, peer.subscribe):
            await peer.refused('TASK_NOT_FOUND', call(task.id, tenant=tenant))
        equal((await peer.list(tenant=tenant, context_id=task.context_id)).total_size, 0, f'tasks in {tenant!r}')
    equal((await peer.list(tenant='acme', context_id=task.context_id)).total_size, 1, 'tasks in its tenant')
    equal(state(await peer.cancel(task.id, tenant='acme')), 'CANCELED', 'state')


async def odd_ids_are_only_text(peer):
    for odd in ('ü', 'a:b', 'x' * 300):
        await peer.refused('TASK_NOT_FOUND', peer.get(odd), metadata={'taskId': odd})
    if peer.binding != HTTP_JSON:  # that client does not encode what it puts into a path
        for odd in ('a/b', 'a b', '%2F', '?', '#'):
            await peer.refused('TASK_NOT_FOUND', peer.get(odd), metadata={'taskId': odd})
