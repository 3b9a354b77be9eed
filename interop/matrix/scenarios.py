"""What our client must get from an agent on another SDK.

A scenario is a function that is named as in the matrix; `runs.py` has the options of the agent for
each group of them. The client is called by its probe, and looked at closely: content, order and kinds of
errors."""

import asyncio
import base64
import inspect
import uuid

from harness import Broken, equal, holds
from probe import kind_of, state, text_of
from runs import RUNS
from webhook import Webhook

_GROUPS = {run: [] for run in RUNS}


def scenarios(run):
    """The scenarios of a run with their names."""
    return _GROUPS[run]


def scenario(run='default'):
    def add(function):
        assert inspect.iscoroutinefunction(function)
        _GROUPS[run].append((function.__name__.removesuffix('_'), function))
        return function
    return add


def message(text=None, *, parts=None, **fields):
    """The request of a send; `configuration` goes beside the message."""
    configuration = fields.pop('configuration', None)
    parts = parts or [{'text': text}]
    request = {'message': {'messageId': str(uuid.uuid4()), 'role': 'ROLE_USER', 'parts': parts, **fields}}
    return {**request, 'configuration': configuration} if configuration else request


async def send(probe, *arguments, options=(), **fields):
    """A send that is answered with a task."""
    answer = await probe.result('SendMessage', message(*arguments, **fields), *options)
    equal(list(answer), ['task'], 'the answer is a task')
    return answer['task']


def artifact(task, id):
    """The parts of the only artifact."""
    equal([a['artifactId'] for a in task.get('artifacts', [])], [id], 'artifacts')
    return plain(task['artifacts'][0]['parts'])


def plain(parts):
    """Parts without the empty metadata that some write where there were none."""
    return [{name: value for name, value in part.items() if (name, value) != ('metadata', {})} for part in parts]


def same_content(task, other):
    """Two views of a task show the same artifacts and state."""
    equal(task['id'], other['id'], 'task id')
    equal(state(task), state(other), 'state')
    parts = [[(a['artifactId'], _joined(a['parts'])) for a in t.get('artifacts', [])] for t in (task, other)]
    equal(parts[0], parts[1], 'artifacts')


def _joined(parts):
    """Parts, the text of neighbours put together."""
    return text_of(parts) if all('text' in part for part in parts) else parts


def steady(events):
    """The kinds of the events of one task, which comes first."""
    task = events[0]['task']
    for event in events[1:]:
        [inner] = event.values()
        ids = (inner.get('taskId', inner.get('id')), inner['contextId'])
        equal(ids, (task['id'], task['contextId']), 'ids of an event')
    return [kind_of(event) for event in events]


async def until(probe, id, wanted):
    """Polls a task to a state."""
    while True:
        task = await probe.result('GetTask', {'id': id})
        if state(task) == wanted:
            return task
        await asyncio.sleep(0.05)


@scenario()  # A2A-8.2-01, A2A-8.3.1-02, A2A-8.3.2-03
async def card(probe):
    found = await probe.card()
    equal([skill['id'] for skill in found['skills']], ['echo'], 'skills')
    equal(
        [(i['protocolBinding'], i['protocolVersion']) for i in found['supportedInterfaces']][:2],
        [('JSONRPC', '1.0'), ('HTTP+JSON', '1.0')], 'interfaces',
    )
    at = probe.base + '/.well-known/agent-card.json'
    lines = await probe.call('GetTask', {'id': 'x'}, url=at)
    equal(lines[0]['error']['kind'], 'TASK_NOT_FOUND', 'a call by way of the address of the card')


@scenario()  # A2A-3.1.1-07, A2A-3.2.2-01 to -02, A2A-3.2.5-01
async def send_blocking(probe):
    sent = message('hello wörld ✓', metadata={'k': [1, {'n': 's'}]})
    answer = await probe.result('SendMessage', sent)
    task = answer['task']
    equal(state(task), 'COMPLETED', 'state')
    equal(text_of(artifact(task, 'echo')), 'echo: hello wörld ✓', 'artifact')
    equal(text_of(task['status']['message']['parts']), 'echo: hello wörld ✓', 'status message')
    equal(task['status']['message']['role'], 'ROLE_AGENT', 'role of the status message')
    kept = task['history'][0]
    kept['parts'] = plain(kept['parts'])
    equal(
        {name: kept.get(name) for name in sent['message']}, sent['message'], 'the message in the history',
    )
    again = await probe.result('GetTask', {'id': task['id']})
    same_content(again, task)


@scenario()  # A2A-3.1.1-03, A2A-3.2.2-03, A2A-3.3.3-01
async def send_immediate(probe):
    task = await send(probe, 'slow', configuration={'returnImmediately': True})
    holds(state(task) in ('SUBMITTED', 'WORKING'), 'the task is not done', task)
    done = await until(probe, task['id'], 'COMPLETED')
    equal(text_of(artifact(done, 'slow')), 'chunk 1;chunk 2;chunk 3;', 'artifact')


@scenario()  # A2A-3.1.2-01, A2A-3.1.2-03 to -04
async def stream(probe):
    events, task = await probe.stream('SendStreamingMessage', message('slow'))
    kinds = steady(events)
    equal(kinds[-5:], ['statusUpdate WORKING', 'artifact', 'append', 'append', 'statusUpdate COMPLETED'], 'events')
    equal(set(kinds[:-5]), {'task SUBMITTED'}, 'the events before')
    equal(text_of(artifact(task, 'slow')), 'chunk 1;chunk 2;chunk 3;', 'the folded artifact')
    holds(events[-2]['artifactUpdate']['lastChunk'], 'the last chunk is marked')
    same_content(task, await probe.result('GetTask', {'id': task['id']}))


@scenario()  # A2A-3.5.2-01 to -02, A2A-4.2-02
async def stream_burst(probe):
    events, task = await probe.stream('SendStreamingMessage', message('stream 500'))
    steady(events)
    whole = ''.join(f'chunk {number:08} abcde' for number in range(1, 501))
    equal(text_of(artifact(task, 'stream')), whole, 'the folded artifact')
    chunks = [e['artifactUpdate']['artifact']['parts'] for e in events if 'artifactUpdate' in e]
    equal(''.join(text_of(parts) for parts in chunks), whole, 'the chunks')
    equal(state(task), 'COMPLETED', 'state')
    same_content(task, await probe.result('GetTask', {'id': task['id']}))


@scenario()  # A2A-3.1.6-04 to -05, A2A-3.1.6-07, A2A-3.5.2-07
async def subscribe(probe):
    async with probe.running('SendStreamingMessage', message('forever')) as (_, lines):
        async for line in lines:
            event = line.get('event', {})
            id = event.get('task', {}).get('id') or event.get('artifactUpdate', {}).get('taskId')
            if 'artifactUpdate' in event:
                break
    # That stream was dropped; the task goes on.
    async with probe.running('SubscribeToTask', {'id': id}) as (process, lines):
        seen, last = [], None
        async for line in lines:
            if 'event' in line:
                seen.append(line['event'])
                if len(seen) == 3:
                    canceled = await probe.result('CancelTask', {'id': id})
                    equal(state(canceled), 'CANCELED', 'state after the cancel')
            last = line if 'event' not in line else last
            task = line.get('task')
            if task:
                folded = task
        equal(await process.wait(), 0, f'exit status, after {last}')
    equal(last, {'end': 'finished'}, 'the last line')
    kinds = steady(seen)
    equal((kinds[0], kinds[-1]), ('task WORKING', 'statusUpdate CANCELED'), 'the first and the last event')
    equal(set(kinds[1:-1]), {'append'}, 'the events between')
    text = text_of(artifact(folded, 'slow'))
    count = text.count(';')
    equal(text, ''.join(f'chunk {n};' for n in range(1, count + 1)), 'the folded artifact')
    same_content(folded, await probe.result('GetTask', {'id': id}))


@scenario()  # A2A-3.5.1-01
async def follow(probe):
    events, task = await probe.stream('SendStreamingMessage', message('slow'), '--follow')
    equal(kind_of(events[-1]), 'statusUpdate COMPLETED', 'the last event')
    equal(text_of(artifact(task, 'slow')), 'chunk 1;chunk 2;chunk 3;', 'the folded artifact')
    lines = await probe.call(
        'SendMessage', message('slow', configuration={'returnImmediately': True}), '--follow',
    )
    equal(lines[-1], {'end': 'finished'}, 'the last line of a send that is followed')
    equal(text_of(artifact(lines[-2]['task'], 'slow')), 'chunk 1;chunk 2;chunk 3;', 'its artifact')


@scenario()  # A2A-3.1.1-08, A2A-3.5.1-01
async def wait(probe):
    for text, wanted in (('slow', 'chunk 1;chunk 2;chunk 3;'), ('hello', 'echo: hello')):
        answer = await probe.result('SendAndWait', message(text))
        equal(state(answer['task']), 'COMPLETED', 'state')
        equal(text_of(answer['task']['artifacts'][0]['parts']), wanted, 'artifact')
    answer = await probe.result('SendAndWait', message('message hi'))
    equal(text_of(answer['message']['parts']), 'echo: message hi', 'a message that is waited for')


@scenario()  # A2A-3.1.3-03, A2A-3.2.4-01 to -03, A2A-3.2.4-05
async def history(probe):
    begun = await send(probe, 'ask')
    ids = {'taskId': begun['id'], 'contextId': begun['contextId']}
    task = await send(probe, 'hello', **ids)
    whole = task['history']
    texts = [text_of(m['parts']) for m in whole if m['role'] == 'ROLE_USER']
    equal(texts, ['ask', 'hello'], 'what the user said')
    for length, wanted in ((None, whole), (0, []), (1, whole[-1:]), (100, whole)):
        request = {'id': begun['id']} if length is None else {'id': begun['id'], 'historyLength': length}
        found = (await probe.result('GetTask', request)).get('history', [])
        equal([m['messageId'] for m in found], [m['messageId'] for m in wanted], f'history of length {length}')
        listed = {'contextId': begun['contextId']}
        page = await probe.result('ListTasks', {**listed, **({'historyLength': length} if length is not None else {})})
        found = page['tasks'][0].get('history', [])
        if length is None:
            # How much that is, is the agent's choice (A2A §3.2.4).
            wanted = whole[len(whole) - len(found):]
        equal([m['messageId'] for m in found], [m['messageId'] for m in wanted], f'listed history of length {length}')


@scenario()  # A2A-3.1.4-02, A2A-3.1.4-04, A2A-3.1.4-06 to -07, A2A-3.1.4-09
async def list_(probe):
    context = str(uuid.uuid4())
    texts = ('one', 'two', 'three', 'ask')
    ids = [(await send(probe, text, contextId=context))['id'] for text in texts]
    request = {'contextId': context, 'pageSize': 3}
    first = await probe.result('ListTasks', request)
    equal((len(first['tasks']), first['totalSize'], first['pageSize']), (3, 4, 3), 'sizes of the first page')
    second = await probe.result('ListTasks', {**request, 'pageToken': first['nextPageToken']})
    equal((len(second['tasks']), second['nextPageToken']), (1, ''), 'the last page')
    found = [task['id'] for task in [*first['tasks'], *second['tasks']]]
    equal(sorted(found), sorted(ids), 'tasks of all pages')
    some = await probe.result('ListTasks', {
        'contextId': context, 'status': 'TASK_STATE_COMPLETED', 'includeArtifacts': True,
    })
    equal(sorted(task['id'] for task in some['tasks']), sorted(ids[:3]), 'tasks that are completed')
    holds(all(task['artifacts'] for task in some['tasks']), 'artifacts, when they are asked for')
    none = await probe.result('ListTasks', {'contextId': str(uuid.uuid4())})
    equal((none['tasks'], none['totalSize'], none['nextPageToken']), ([], 0, ''), 'an empty page')


@scenario()  # A2A-3.1.4-05
async def list_without_artifacts(probe):
    task = await send(probe, 'hello')
    page = await probe.result('ListTasks', {'contextId': task['contextId']})
    equal([(t['id'], t.get('artifacts', [])) for t in page['tasks']], [(task['id'], [])], 'tasks without artifacts')


@scenario()  # A2A-3.1.5-01
async def cancel(probe):
    task = await send(probe, 'forever', configuration={'returnImmediately': True})
    canceled = await probe.result('CancelTask', {'id': task['id']})
    equal((canceled['id'], state(canceled)), (task['id'], 'CANCELED'), 'the task after the cancel')
    equal(state(await probe.result('GetTask', {'id': task['id']})), 'CANCELED', 'state afterwards')


@scenario()  # A2A-3.1.5-02, A2A-3.3.1-03
async def cancel_twice(probe):
    task = await send(probe, 'ask')
    await probe.result('CancelTask', {'id': task['id']})
    await probe.refused('TASK_NOT_CANCELABLE', 'CancelTask', {'id': task['id']})


@scenario()  # A2A-3.4.3-02, A2A-3.4.3-06, A2A-3.7-02
async def follow_up(probe):
    for stream in (False, True):
        asked = await send(probe, 'ask')
        equal(state(asked), 'INPUT_REQUIRED', 'state')
        holds(text_of(asked['status']['message']['parts']), 'the agent says what it wants')
        request = message('hello', taskId=asked['id'], contextId=asked['contextId'])
        if stream:
            events, task = await probe.stream('SendStreamingMessage', request)
            equal(kind_of(events[-1]), 'statusUpdate COMPLETED', 'the last event')
        else:
            task = (await probe.result('SendMessage', request))['task']
        equal((task['id'], state(task)), (asked['id'], 'COMPLETED'), 'the task after the answer')
        equal(text_of(artifact(task, 'echo')), 'echo: hello', 'artifact')
    events, task = await probe.stream('SendStreamingMessage', message('ask'))
    equal((kind_of(events[-1]), state(task)), ('statusUpdate INPUT_REQUIRED', 'INPUT_REQUIRED'), 'the last event')


@scenario()  # A2A-7.6.1-01 to -03, A2A-7.6.1-07
async def auth_required(probe):
    task = await send(probe, 'auth')
    equal(state(task), 'AUTH_REQUIRED', 'state')
    answer = await probe.result('SendAndWait', message('auth'))
    equal(state(answer['task']), 'AUTH_REQUIRED', 'state, when waiting')
    done = await send(probe, 'hello', taskId=task['id'], contextId=task['contextId'])
    equal((done['id'], state(done)), (task['id'], 'COMPLETED'), 'the task after the answer')


@scenario()  # A2A-3.1.1-01, A2A-3.1.1-08, A2A-3.1.2-02, A2A-3.1.2-10
async def direct_message(probe):
    answer = await probe.result('SendMessage', message('message hi'))
    equal(list(answer), ['message'], 'the answer')
    equal(text_of(answer['message']['parts']), 'echo: message hi', 'text')
    equal(answer['message']['role'], 'ROLE_AGENT', 'role')
    events, task = await probe.stream('SendStreamingMessage', message('message hi'))
    equal([kind_of(event) for event in events], ['message'], 'events')
    equal((text_of(events[0]['message']['parts']), task), ('echo: message hi', None), 'the message')


KINDS = [
    {'text': 'plain text'},
    {
        'raw': base64.b64encode(bytes(range(256))).decode(),
        'mediaType': 'application/octet-stream',
        'filename': 'bytes.bin',
    },
    {'url': 'https://example.com/a%20b.png', 'mediaType': 'image/png'},
    {'data': {'n': 1.5, 's': 'ü', 'l': [True, None]}},
]


@scenario()  # A2A-4.1-03 to -05
async def kinds(probe):
    equal(artifact(await send(probe, 'kinds'), 'kinds'), KINDS, 'parts')
    events, task = await probe.stream('SendStreamingMessage', message('kinds'))
    equal(artifact(task, 'kinds'), KINDS, 'parts of the folded task')
    sent = [{'text': 'hello'}, *KINDS, {'text': 'x', 'metadata': {'a': 1}}]
    task = await send(probe, parts=sent)
    equal(plain(task['history'][0]['parts']), sent, 'parts in the history')


@scenario()  # A2A-4.1-04
async def list_data(probe):
    sent = [{'text': 'hello'}, {'data': [1, 'x', {}]}]
    task = await send(probe, parts=sent)
    equal(plain(task['history'][0]['parts']), sent, 'parts in the history')


@scenario()  # A2A-4.1-04
async def null_data(probe):
    sent = [{'text': 'hello'}, {'data': None}]
    task = await send(probe, parts=sent)
    equal(plain(task['history'][0]['parts']), sent, 'parts in the history')


@scenario()
async def null_metadata(probe):
    task = await send(probe, 'hello', metadata={'k': [None, {'n': None}]})
    equal(task['history'][0]['metadata'], {'k': [None, {'n': None}]}, 'metadata in the history')


@scenario()
async def large(probe):
    text = 'ü🌍x "\\\n' * (1024 * 1024 // 12)
    task = await send(probe, text)
    equal(text_of(task['artifacts'][0]['parts']) == f'echo: {text}', True, '1 MiB comes back as it was sent')
    _, task = await probe.stream('SendStreamingMessage', message(text))
    equal(text_of(task['artifacts'][0]['parts']) == f'echo: {text}', True, '1 MiB is streamed as it was sent')


@scenario()  # A2A-4.1-06, A2A-4.1-10
async def states(probe):
    for text, wanted in (('fail', 'FAILED'), ('reject', 'REJECTED'), ('panic', 'FAILED')):
        try:
            task = await send(probe, text)
        except Broken as error:
            # Over gRPC one of the SDKs says UNKNOWN, and which exception it was.
            unknown = probe.binding == 'GRPC' and 'asked to' in str(error)
            if text != 'panic' or not (unknown or 'INTERNAL' in str(error)):
                raise
            continue
        equal(state(task), wanted, f'state after {text}')
    for text, wanted in (('fail', 'FAILED'), ('reject', 'REJECTED')):
        _, task = await probe.stream('SendStreamingMessage', message(text))
        equal(state(task), wanted, f'state after the stream of {text}')


@scenario()  # A2A-3.1.7-02, A2A-3.1.7-07, A2A-3.1.8-01, A2A-3.1.9-01
async def push_configs(probe):
    task = await send(probe, 'ask')
    config = {'taskId': task['id'], 'id': 'hook', 'url': 'http://127.0.0.1:9/hook', 'token': 'secret'}
    made = await probe.result('CreateTaskPushNotificationConfig', config)
    equal((made['id'], made['taskId'], made['url']), ('hook', task['id'], config['url']), 'the new configuration')
    ids = {'taskId': task['id'], 'id': 'hook'}
    equal((await probe.result('GetTaskPushNotificationConfig', ids))['url'], config['url'], 'the configuration')
    await probe.result('CreateTaskPushNotificationConfig', {**config, 'id': 'other'})
    page = await probe.result('ListTaskPushNotificationConfigs', {'taskId': task['id']})
    equal(sorted(c['id'] for c in page['configs']), ['hook', 'other'], 'configurations')
    equal(await probe.result('DeleteTaskPushNotificationConfig', ids), {}, 'answer to the delete')
    page = await probe.result('ListTaskPushNotificationConfigs', {'taskId': task['id']})
    equal([c['id'] for c in page['configs']], ['other'], 'configurations after the delete')


@scenario()  # A2A-3.1.7-01, A2A-3.2.2-06, A2A-3.5.1-02
async def push_delivery(probe):
    async with Webhook() as hook:
        configuration = {'taskPushNotificationConfig': {'id': 'hook', 'url': hook.url, 'token': 'secret'}}
        task = await send(probe, 'slow', configuration=configuration)
        seen = await hook.until(lambda event: 'COMPLETED' in kind_of(event))
        holds(all(token == 'secret' for token, _ in seen), 'each notification has the token', seen)
        text = ''.join(
            text_of(event['artifactUpdate']['artifact']['parts']) for _, event in seen if 'artifactUpdate' in event
        )
        equal(text, 'chunk 1;chunk 2;chunk 3;', 'the chunks')
        equal(state(task), 'COMPLETED', 'state')


@scenario()  # A2A-8.3.2-04
async def tenant(probe):
    card = await probe.card()
    for interface in card['supportedInterfaces']:
        interface['tenant'] = 'acme'
    with probe.card_file(card) as url:
        task = (await probe.result('SendMessage', message('ask'), url=url))['task']
        ids = {'id': task['id']}
        equal((await probe.result('GetTask', ids, url=url))['id'], task['id'], 'the task of the tenant')
        page = await probe.result('ListTasks', {}, url=url)
        holds(task['id'] in [t['id'] for t in page['tasks']], 'the task is in the list of the tenant')
        request = message('hello', taskId=task['id'])
        _, done = await probe.stream('SendStreamingMessage', request, url=url)
        equal((done['id'], state(done)), (task['id'], 'COMPLETED'), 'the task after its second turn')
    await probe.refused('TASK_NOT_FOUND', 'GetTask', ids)
