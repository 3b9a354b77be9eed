"""What an agent on another SDK must refuse, and with which kind of error; see `scenarios.py`."""

from harness import equal
from probe import state, text_of
from runs import BOB, EXTENSION
from scenarios import artifact, message, scenario, send


@scenario()  # A2A-3.1.1-06, A2A-3.1.2-09, A2A-3.1.3-02, A2A-3.1.6-02, A2A-3.4.3-05
async def errors(probe):
    for operation in ('GetTask', 'CancelTask', 'SubscribeToTask'):
        await probe.refused('TASK_NOT_FOUND', operation, {'id': 'no-such-task'})
    for operation in ('SendMessage', 'SendStreamingMessage'):
        await probe.refused('TASK_NOT_FOUND', operation, message('hello', taskId='no-such-task'))
    done = await send(probe, 'hello')
    await probe.refused('TASK_NOT_CANCELABLE', 'CancelTask', {'id': done['id']})
    asked = await send(probe, 'ask')
    await probe.refused('INVALID_PARAMS', 'SendMessage', message('x', taskId=asked['id'], contextId='another'))
    # What needs no peer to be known is refused before anything is sent.
    for operation, request in (('SendMessage', message(parts=[{}])), ('GetTask', {}), ('GetTask', {'id': 'x', 'historyLength': -1})):
        await probe.refused('INVALID_PARAMS', operation, request, source='request')


@scenario()  # A2A-3.1.1-05, A2A-3.1.2-09, A2A-3.1.6-03
async def finished(probe):
    done = await send(probe, 'hello')
    for operation in ('SendMessage', 'SendStreamingMessage'):
        await probe.refused('UNSUPPORTED_OPERATION', operation, message('hello', taskId=done['id']))
    await probe.refused('UNSUPPORTED_OPERATION', 'SubscribeToTask', {'id': done['id']})


@scenario()  # A2A-3.1.4-08
async def page_size(probe):
    await probe.refused('INVALID_PARAMS', 'ListTasks', {'pageSize': 500})


@scenario()  # A2A-3.1.1-04, A2A-3.1.2-09
async def content_type(probe):
    parts = [{'text': 'hello'}, {'raw': 'AAE=', 'mediaType': 'application/x-unsupported'}]
    for operation in ('SendMessage', 'SendStreamingMessage'):
        await probe.refused('CONTENT_TYPE_NOT_SUPPORTED', operation, message(parts=parts))


@scenario()  # A2A-3.6.2-02
async def version(probe):
    for operation, request in (('SendMessage', message('hello')), ('GetTask', {'id': 'x'})):
        await probe.refused('VERSION_NOT_SUPPORTED', operation, request, '--header', 'A2A-Version: 9.9')


@scenario('bare')  # A2A-3.1.2-08, A2A-3.1.7-04, A2A-3.3.4-01 to -03, A2A-3.3.4-05
async def capabilities(probe):
    card = await probe.card()
    config = {'taskId': 'x', 'id': 'hook', 'url': 'http://127.0.0.1:9/'}
    calls = [
        ('UNSUPPORTED_OPERATION', 'SendStreamingMessage', message('hello')),
        ('UNSUPPORTED_OPERATION', 'GetExtendedAgentCard', {}),
        ('PUSH_NOTIFICATION_NOT_SUPPORTED', 'CreateTaskPushNotificationConfig', config),
    ]
    for kind, operation, request in calls:
        await probe.refused(kind, operation, request, source='request')
    # A card that promises more brings the requests to the peer, which refuses them, too.
    for name in ('streaming', 'pushNotifications', 'extendedAgentCard'):
        card['capabilities'][name] = True
    with probe.card_file(card) as url:
        for kind, operation, request in calls:
            await probe.refused(kind, operation, request, url=url)
    answer = await probe.result('SendAndWait', message('slow'))
    equal(text_of(artifact(answer['task'], 'slow')), 'chunk 1;chunk 2;chunk 3;', 'a task that was polled')


@scenario('auth')  # A2A-3.3.2-03, A2A-7.4-01, A2A-13.1-06 to -07
async def credentials(probe):
    for other in (probe.with_token(None), probe.with_token('wrong')):
        await other.refused('UNAUTHENTICATED', 'SendMessage', message('hello'))
        await other.refused('UNAUTHENTICATED', 'SendStreamingMessage', message('hello'))
        await other.refused('UNAUTHENTICATED', 'GetTask', {'id': 'x'})
    task = await send(probe, 'ask')
    bob = probe.with_token(BOB)
    await bob.refused('TASK_NOT_FOUND', 'GetTask', {'id': task['id']})
    await bob.refused('TASK_NOT_FOUND', 'CancelTask', {'id': task['id']})
    _, done = await probe.stream('SendStreamingMessage', message('hello', taskId=task['id']))
    equal(state(done), 'COMPLETED', 'state')


@scenario('auth')  # A2A-3.1.11-01, A2A-13.3-01, A2A-13.3-05
async def extended_card(probe):
    card = await probe.result('GetExtendedAgentCard')
    equal([skill['id'] for skill in card['skills']], ['echo', 'hidden'], 'skills')
    equal(card['supportedInterfaces'], (await probe.card())['supportedInterfaces'], 'interfaces')
    await probe.with_token(None).refused('UNAUTHENTICATED', 'GetExtendedAgentCard')


@scenario('extension')  # A2A-3.3.4-04
async def extension(probe):
    await probe.refused('EXTENSION_SUPPORT_REQUIRED', 'SendMessage', message('hello'))
    await probe.refused('EXTENSION_SUPPORT_REQUIRED', 'SendStreamingMessage', message('hello'))
    task = await send(probe, 'hello', options=['--extension', EXTENSION])
    equal(state(task), 'COMPLETED', 'state')


@scenario('broken')  # A2A-3.1.11-03, A2A-3.3.4-03
async def card_not_configured(probe):
    await probe.refused('EXTENDED_AGENT_CARD_NOT_CONFIGURED', 'GetExtendedAgentCard')


@scenario('broken')  # A2A-3.3.2-01
async def invalid_agent_response(probe):
    for operation in ('SendMessage', 'SendStreamingMessage'):
        await probe.refused('INVALID_AGENT_RESPONSE', operation, message('hello'))
