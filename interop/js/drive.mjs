// The official JavaScript client drives our conformance agent and looks closely at the answers.
//
//   node drive.mjs --base URL [--run RUN] [--token TOKEN] [--only REGEX]
//
// The agent must have been started with the options of the run (`../matrix/runs.py`). One line a
// check, `ok BINDING/SCENARIO` or `FAIL BINDING/SCENARIO REASON`; the exit status is 1 when one failed.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
  Message,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
  ListTasksResponse,
  ListTaskPushNotificationConfigsResponse,
} from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  ServiceParameters,
  withA2AExtensions,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import * as kinds from '@a2a-js/sdk/errors';
import { InterceptingCall } from '@grpc/grpc-js';

const EXTENSION = 'urn:example:Required/v1';
const BOB = 'token-of-bob';
const TRANSPORTS = {
  JSONRPC: (peer) => new JsonRpcTransportFactory({ fetchImpl: peer.fetch }),
  'HTTP+JSON': (peer) => new RestTransportFactory({ fetchImpl: peer.fetch }),
  GRPC: (peer) => new GrpcTransportFactory({ grpcCallOptions: { interceptors: [peer.intercept] } }),
};
const SECONDS = 60;

/** Our agent over one binding; requests and answers are the JSON of the protocol. */
class Peer {
  constructor(base, binding, token) {
    Object.assign(this, { base, binding, token });
  }

  as(token) {
    return new Peer(this.base, this.binding, token);
  }

  fetch = (url, options = {}) => {
    const headers = new Headers(options.headers);
    if (this.token) headers.set('Authorization', `Bearer ${this.token}`);
    if (this.version) headers.set('A2A-Version', this.version);
    return fetch(url, { ...options, headers });
  };

  /** The same for calls over gRPC. */
  intercept = (options, next) =>
    new InterceptingCall(next(options), {
      start: (metadata, listener, start) => {
        if (this.token) metadata.set('authorization', `Bearer ${this.token}`);
        if (this.version) metadata.set('a2a-version', this.version);
        start(metadata, listener);
      },
    });

  async card() {
    const resolver = new DefaultAgentCardResolver({ fetchImpl: this.fetch });
    return AgentCard.toJSON(await resolver.resolve(this.base));
  }

  /** `claims` changes the card before the client sees it. */
  async client(claims = () => {}) {
    const card = await this.card();
    claims(card);
    const transport = TRANSPORTS[this.binding](this);
    const factory = new ClientFactory({ transports: [transport], preferredTransports: [this.binding] });
    return factory.createFromAgentCard(AgentCard.fromJSON(card));
  }

  async send(text, { options, claims, configuration, ...fields } = {}) {
    const client = await this.client(claims);
    const answer = await client.sendMessage(SendMessageRequest.fromJSON(request(text, configuration, fields)), options);
    return 'messageId' in answer ? { message: Message.toJSON(answer) } : { task: Task.toJSON(answer) };
  }

  async task(text, fields) {
    const answer = await this.send(text, fields);
    assert.deepEqual(Object.keys(answer), ['task'], 'the answer is a task');
    return answer.task;
  }

  async *stream(text, { options, claims, configuration, ...fields } = {}) {
    const client = await this.client(claims);
    const sent = SendMessageRequest.fromJSON(request(text, configuration, fields));
    for await (const event of client.sendMessageStream(sent, options)) yield StreamResponse.toJSON(event);
  }

  async *subscribe(id, options) {
    const client = await this.client();
    const events = client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id }), options);
    for await (const event of events) yield StreamResponse.toJSON(event);
  }

  async get(id, fields = {}) {
    const client = await this.client();
    return Task.toJSON(await client.getTask(GetTaskRequest.fromJSON({ id, ...fields })));
  }

  async list(fields) {
    const client = await this.client();
    return ListTasksResponse.toJSON(await client.listTasks(ListTasksRequest.fromJSON(fields)));
  }

  async cancel(id) {
    const client = await this.client();
    return Task.toJSON(await client.cancelTask(CancelTaskRequest.fromJSON({ id })));
  }

  async extendedCard(claims = () => {}) {
    const client = await this.client(claims);
    return AgentCard.toJSON(await client.getAgentCard());
  }

  async createConfig(config, claims) {
    const client = await this.client(claims);
    return client.createTaskPushNotificationConfig(TaskPushNotificationConfig.fromJSON(config));
  }

  /** The call fails with this kind of error; of any kind without one. */
  async refused(kind, begin) {
    let got;
    try {
      const call = begin();
      got = Symbol.asyncIterator in call ? await all(call) : await call;
    } catch (error) {
      if (kind === undefined) return error;
      const name = error.constructor.name.replace(/^(JsonRpc|Rest|Grpc)/, '');
      assert.equal(name, kind, `error in the client (${error.message})`);
      assert.ok(error instanceof kinds.A2AError, 'it is an error of the protocol');
      assert.ok(error.message, 'the error has a message');
      return error;
    }
    return assert.fail(`expected ${kind ?? 'an error'}, got ${JSON.stringify(got)}`);
  }

  async until(id, wanted) {
    for (;;) {
      const task = await this.get(id);
      if (state(task) === wanted) return task;
      await sleep(20);
    }
  }
}

function request(text, configuration, fields) {
  const parts = fields.parts ?? [{ text }];
  const message = { messageId: randomUUID(), role: 'ROLE_USER', ...fields, parts };
  return { message, configuration };
}

async function all(events) {
  const found = [];
  for await (const event of events) found.push(event);
  return found;
}

const state = (task) => task.status.state.replace('TASK_STATE_', '');

/** What an event is, in short. */
function kindOf(event) {
  const [[name, inner]] = Object.entries(event);
  if (name === 'artifactUpdate') return inner.append ? 'append' : 'artifact';
  return name === 'message' ? name : `${name} ${state(inner)}`;
}

function textOf(parts) {
  assert.ok(parts.every((part) => 'text' in part), 'only text parts');
  return parts.map((part) => part.text).join('');
}

/** The parts of the only artifact. */
function artifact(task, id) {
  assert.deepEqual((task.artifacts ?? []).map((a) => a.artifactId), [id], 'artifacts');
  return task.artifacts[0].parts;
}

/** The kinds of the events of one task, which comes first. */
function steady(events) {
  const { id, contextId } = events[0].task;
  for (const event of events.slice(1)) {
    const [inner] = Object.values(event);
    assert.deepEqual([inner.taskId ?? inner.id, inner.contextId], [id, contextId], 'ids of an event');
  }
  return events.map(kindOf);
}

function chunksOf(events) {
  return textOf(events.flatMap((event) => event.artifactUpdate?.artifact.parts ?? []));
}

const SLOW = 'chunk 1;chunk 2;chunk 3;';

const KINDS = [
  { text: 'plain text' },
  {
    raw: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('base64'),
    mediaType: 'application/octet-stream',
    filename: 'bytes.bin',
  },
  { url: 'https://example.com/a%20b.png', mediaType: 'image/png' },
  { data: { n: 1.5, s: 'ü', l: [true, null] } },
];

const SCENARIOS = {
  default: {
    async card(peer) {
      const card = await peer.card();
      assert.deepEqual(card.skills.map((skill) => skill.id), ['echo'], 'skills');
      const interfaces = card.supportedInterfaces.map((i) => `${i.protocolBinding} ${i.protocolVersion}`);
      assert.deepEqual(interfaces.slice(0, 2), ['JSONRPC 1.0', 'HTTP+JSON 1.0'], 'interfaces');
    },

    async send_blocking(peer) {
      const metadata = { k: [1, { n: null }] };
      const task = await peer.task('hello wörld ✓', { messageId: 'js-1', metadata });
      assert.equal(state(task), 'COMPLETED', 'state');
      assert.equal(textOf(artifact(task, 'echo')), 'echo: hello wörld ✓', 'artifact');
      assert.equal(textOf(task.status.message.parts), 'echo: hello wörld ✓', 'status message');
      assert.equal(task.status.message.role, 'ROLE_AGENT', 'role of the status message');
      const wanted = {
        messageId: 'js-1', role: 'ROLE_USER', parts: [{ text: 'hello wörld ✓' }], metadata,
        taskId: task.id, contextId: task.contextId,
      };
      assert.deepEqual(task.history, [wanted], 'history');
      assert.deepEqual(await peer.get(task.id), task, 'the task afterwards');
    },

    async send_immediate(peer) {
      const task = await peer.task('slow', { configuration: { returnImmediately: true } });
      assert.ok(['SUBMITTED', 'WORKING'].includes(state(task)), `not done: ${state(task)}`);
      const done = await peer.until(task.id, 'COMPLETED');
      assert.equal(textOf(artifact(done, 'slow')), SLOW, 'artifact');
    },

    async stream(peer) {
      const events = await all(peer.stream('slow'));
      const wanted = [
        'task SUBMITTED', 'statusUpdate WORKING', 'artifact', 'append', 'append', 'statusUpdate COMPLETED',
      ];
      assert.deepEqual(steady(events), wanted, 'events');
      assert.equal(chunksOf(events), SLOW, 'chunks');
      assert.ok(events.at(-2).artifactUpdate.lastChunk, 'the last chunk is marked');
      const task = await peer.get(events[0].task.id);
      assert.equal(textOf(artifact(task, 'slow')), SLOW, 'artifact');
    },

    async stream_burst(peer) {
      const events = await all(peer.stream('stream 500'));
      steady(events);
      const numbers = Array.from({ length: 500 }, (_, n) => `chunk ${String(n + 1).padStart(8, '0')} abcde`);
      assert.equal(chunksOf(events), numbers.join(''), 'chunks');
      assert.equal(kindOf(events.at(-1)), 'statusUpdate COMPLETED', 'the last event');
    },

    async subscribe(peer) {
      let id;
      for await (const event of peer.stream('forever')) {
        id ??= event.task?.id;
        if (event.artifactUpdate) break;
      }
      const events = [];
      for await (const event of peer.subscribe(id)) {
        events.push(event);
        if (events.length === 3) assert.equal(state(await peer.cancel(id)), 'CANCELED', 'state after the cancel');
      }
      const seen = steady(events);
      assert.deepEqual([seen[0], seen.at(-1)], ['task WORKING', 'statusUpdate CANCELED'], 'first and last event');
      const text = textOf(artifact(events[0].task, 'slow')) + chunksOf(events);
      const count = text.split(';').length - 1;
      assert.equal(text, Array.from({ length: count }, (_, n) => `chunk ${n + 1};`).join(''), 'chunks');
      assert.equal(textOf(artifact(await peer.get(id), 'slow')), text, 'artifact afterwards');
    },

    async history(peer) {
      const asked = await peer.task('ask');
      const { id: taskId, contextId } = asked;
      const { history } = await peer.task('hello', { taskId, contextId });
      assert.deepEqual(
        history.map((m) => [m.role, textOf(m.parts)]),
        [['ROLE_USER', 'ask'], ['ROLE_AGENT', 'What else should I know?'], ['ROLE_USER', 'hello']],
        'history',
      );
      for (const [historyLength, wanted] of [[undefined, history], [0, []], [1, history.slice(-1)], [100, history]]) {
        const task = await peer.get(taskId, { historyLength });
        assert.deepEqual(task.history ?? [], wanted, `history of length ${historyLength}`);
        const page = await peer.list({ contextId, historyLength });
        assert.deepEqual(page.tasks[0].history ?? [], wanted, `listed history of length ${historyLength}`);
      }
    },

    async list(peer) {
      const contextId = randomUUID();
      const ids = [];
      for (const text of ['one', 'two', 'three', 'ask']) ids.push((await peer.task(text, { contextId })).id);
      const first = await peer.list({ contextId, pageSize: 3 });
      assert.deepEqual([first.tasks.length, first.totalSize, first.pageSize], [3, 4, 3], 'sizes of the first page');
      const second = await peer.list({ contextId, pageSize: 3, pageToken: first.nextPageToken });
      assert.equal(second.nextPageToken ?? '', '', 'the last page has no token');
      const found = [...first.tasks, ...second.tasks];
      assert.deepEqual(found.map((task) => task.id).sort(), ids.toSorted(), 'tasks of all pages');
      assert.ok(found.every((task) => !task.artifacts), 'no artifacts unless they are asked for');
      const some = await peer.list({ contextId, status: 'TASK_STATE_COMPLETED', includeArtifacts: true });
      assert.deepEqual(some.tasks.map((task) => task.id).sort(), ids.slice(0, 3).toSorted(), 'completed tasks');
      assert.ok(some.tasks.every((task) => task.artifacts.length === 1), 'artifacts, when they are asked for');
    },

    async cancel(peer) {
      const task = await peer.task('forever', { configuration: { returnImmediately: true } });
      const canceled = await peer.cancel(task.id);
      assert.deepEqual([canceled.id, state(canceled)], [task.id, 'CANCELED'], 'the task after the cancel');
      assert.equal(state(await peer.get(task.id)), 'CANCELED', 'state afterwards');
    },

    async cancel_twice(peer) {
      const task = await peer.task('ask');
      await peer.cancel(task.id);
      await peer.refused('TaskNotCancelableError', () => peer.cancel(task.id));
    },

    async follow_up(peer) {
      for (const streams of [false, true]) {
        const asked = await peer.task('ask');
        assert.equal(state(asked), 'INPUT_REQUIRED', 'state');
        const ids = { taskId: asked.id, contextId: asked.contextId };
        if (streams) {
          const events = await all(peer.stream('hello', ids));
          assert.equal(kindOf(events.at(-1)), 'statusUpdate COMPLETED', 'the last event');
        } else {
          const task = await peer.task('hello', ids);
          assert.deepEqual([task.id, state(task)], [asked.id, 'COMPLETED'], 'the task after the answer');
        }
        assert.equal(textOf(artifact(await peer.get(asked.id), 'echo')), 'echo: hello', 'artifact');
      }
      const events = await all(peer.stream('ask'));
      assert.equal(kindOf(events.at(-1)), 'statusUpdate INPUT_REQUIRED', 'the last event');
    },

    async auth_required(peer) {
      const task = await peer.task('auth');
      assert.equal(state(task), 'AUTH_REQUIRED', 'state');
      const done = await peer.task('hello', { taskId: task.id });
      assert.deepEqual([done.id, state(done)], [task.id, 'COMPLETED'], 'the task after the answer');
    },

    async direct_message(peer) {
      const { message } = await peer.send('message hi');
      assert.equal(textOf(message.parts), 'echo: message hi', 'text');
      assert.equal(message.role, 'ROLE_AGENT', 'role');
      const events = await all(peer.stream('message hi'));
      assert.deepEqual(events.map(kindOf), ['message'], 'events');
      assert.equal(textOf(events[0].message.parts), 'echo: message hi', 'text in the stream');
    },

    async kinds(peer) {
      assert.deepEqual(artifact(await peer.task('kinds'), 'kinds'), KINDS, 'parts');
      const events = await all(peer.stream('kinds'));
      const [event] = events.filter((e) => e.artifactUpdate);
      assert.deepEqual(event.artifactUpdate.artifact.parts, KINDS, 'parts in the stream');
      // Binary parts are not among the modes that the agent takes.
      const parts = [
        { text: 'hello' }, KINDS[0], KINDS[3], { data: [1, 'x', {}] }, { text: 'x', metadata: { a: 1 } },
      ];
      const task = await peer.task('', { parts });
      assert.deepEqual(task.history[0].parts, parts, 'parts in the history');
    },

    async null_data(peer) {
      const parts = [{ text: 'hello' }, { data: null }];
      const task = await peer.task('', { parts });
      assert.deepEqual(task.history[0].parts, parts, 'parts in the history');
    },

    async large(peer) {
      const text = 'ü🌍x "\\\n'.repeat(Math.floor((1024 * 1024) / 12));
      const task = await peer.task(text);
      assert.ok(textOf(task.artifacts[0].parts) === `echo: ${text}`, '1 MiB comes back as it was sent');
      const events = await all(peer.stream(text));
      assert.ok(chunksOf(events) === `echo: ${text}`, '1 MiB is streamed as it was sent');
    },

    async states(peer) {
      for (const [text, wanted] of [['fail', 'FAILED'], ['reject', 'REJECTED'], ['panic', 'FAILED']]) {
        assert.equal(state(await peer.task(text)), wanted, `state after ${text}`);
        const events = await all(peer.stream(text));
        assert.equal(kindOf(events.at(-1)), `statusUpdate ${wanted}`, `the last event of ${text}`);
      }
    },

    async errors(peer) {
      const turn = { taskId: 'nope' };
      for (const call of [
        () => peer.get('nope'),
        () => peer.cancel('nope'),
        () => peer.subscribe('nope'),
        () => peer.send('x', turn),
        () => peer.stream('x', turn),
      ]) {
        const error = await peer.refused('TaskNotFoundError', call);
        assert.equal(error.reason, 'TASK_NOT_FOUND', 'reason');
        const metadata = error.metadata ?? error.data?.[0].metadata;
        assert.equal(metadata?.taskId, 'nope', 'metadata');
      }
      const { id: taskId } = await peer.task('hello');
      for (const call of [
        () => peer.send('x', { taskId }),
        () => peer.stream('x', { taskId }),
        () => peer.subscribe(taskId),
      ]) {
        await peer.refused('UnsupportedOperationError', call);
      }
      await peer.refused('TaskNotCancelableError', () => peer.cancel(taskId));
    },

    async content_type(peer) {
      const binary = { parts: [{ text: 'hello' }, { raw: 'AAE=', mediaType: 'application/x-unsupported' }] };
      await peer.refused('ContentTypeNotSupportedError', () => peer.send('', binary));
      await peer.refused('ContentTypeNotSupportedError', () => peer.stream('', binary));
    },

    async invalid(peer) {
      const asked = await peer.task('ask');
      for (const call of [
        () => peer.send('x', { taskId: asked.id, contextId: 'another' }),
        () => peer.list({ pageSize: 500 }),
        () => peer.send('', { parts: [{}] }),
      ]) {
        // Over the others the client knows a kind by ErrorInfo alone, which only A2A errors carry.
        const error = await peer.refused(peer.binding === 'JSONRPC' ? 'RequestMalformedError' : undefined, call);
        assert.match(error.message, /message\.contextId|pageSize|message\.parts/, 'what is invalid');
      }
    },

    async tenant(peer) {
      const claims = (card) => card.supportedInterfaces.forEach((i) => Object.assign(i, { tenant: 'acme' }));
      const task = await peer.task('ask', { claims });
      const done = await peer.task('hello', { claims, taskId: task.id });
      assert.deepEqual([done.id, state(done)], [task.id, 'COMPLETED'], 'the task after its second turn');
      await peer.refused('TaskNotFoundError', () => peer.get(task.id));
    },

    async version(peer) {
      // The client itself speaks what the card says.
      const other = Object.assign(peer.as(peer.token), { version: '9.9' });
      await peer.refused('VersionNotSupportedError', () => other.send('hello'));
      await peer.refused('VersionNotSupportedError', () => other.stream('hello'));
    },
  },

  bare: {
    async capabilities(peer) {
      const claims = (card) => {
        card.capabilities = { streaming: true, pushNotifications: true, extendedAgentCard: true };
      };
      await peer.refused('UnsupportedOperationError', () => peer.stream('hello', { claims }));
      await peer.refused('UnsupportedOperationError', () => peer.extendedCard(claims));
      const config = { taskId: 'x', id: 'hook', url: 'https://example.com/hook' };
      await peer.refused('PushNotificationNotSupportedError', () => peer.createConfig(config, claims));
      // Without the claims the client does with one answer.
      const events = await all(peer.stream('hello'));
      assert.deepEqual(events.map(kindOf), ['task COMPLETED'], 'events');
    },
  },

  auth: {
    async credentials(peer) {
      for (const other of [peer.as(undefined), peer.as('wrong')]) {
        const calls = [
          () => other.send('x'), () => other.stream('x'), () => other.get('x'), () => other.extendedCard(),
        ];
        for (const call of calls) {
          const error = await peer.refused(undefined, call);
          const told = `${error.statusCode ?? ''} ${error.envelopeCode ?? ''} ${error.message}`;
          assert.match(told, peer.binding === 'GRPC' ? /: 16 / : /401/, 'status');
        }
      }
      const task = await peer.task('ask');
      const bob = peer.as(BOB);
      for (const call of [
        () => bob.get(task.id),
        () => bob.cancel(task.id),
        () => bob.send('x', { taskId: task.id }),
      ]) {
        await peer.refused('TaskNotFoundError', call);
      }
      assert.equal(state(await peer.task('hello', { taskId: task.id })), 'COMPLETED', 'state');
    },

    async extended_card(peer) {
      const card = await peer.extendedCard();
      assert.deepEqual(card.skills.map((skill) => skill.id), ['echo', 'hidden'], 'skills');
      assert.deepEqual(card.supportedInterfaces, (await peer.card()).supportedInterfaces, 'interfaces');
    },
  },

  extension: {
    async extension(peer) {
      await peer.refused('ExtensionSupportRequiredError', () => peer.send('hello'));
      await peer.refused('ExtensionSupportRequiredError', () => peer.stream('hello'));
      const options = { serviceParameters: ServiceParameters.create(withA2AExtensions(EXTENSION)) };
      assert.equal(state(await peer.task('hello', { options })), 'COMPLETED', 'state');
    },
  },

  broken: {
    async card_not_configured(peer) {
      await peer.refused('ExtendedAgentCardNotConfiguredError', () => peer.extendedCard());
    },

    async invalid_agent_response(peer) {
      await peer.refused('InvalidAgentResponseError', () => peer.send('hello'));
      await peer.refused('InvalidAgentResponseError', () => peer.stream('hello'));
    },
  },
};

/** Only while the agent declares push notifications. */
const PUSH = {
  async push_configs(peer) {
    const { id: taskId } = await peer.task('ask');
    const config = { taskId, id: 'hook', url: 'http://127.0.0.1:9/hook', token: 'secret' };
    const made = await peer.createConfig(config);
    assert.deepEqual([made.id, made.taskId, made.url], ['hook', taskId, config.url], 'the new configuration');
    await peer.createConfig({ ...config, id: 'other' });
    const client = await peer.client();
    const ids = GetTaskPushNotificationConfigRequest.fromJSON({ taskId, id: 'hook' });
    assert.equal((await client.getTaskPushNotificationConfig(ids)).url, config.url, 'the configuration');
    const list = async () => {
      const listed = ListTaskPushNotificationConfigsRequest.fromJSON({ taskId });
      const page = await client.listTaskPushNotificationConfig(listed);
      return ListTaskPushNotificationConfigsResponse.toJSON(page).configs.map((c) => c.id).sort();
    };
    assert.deepEqual(await list(), ['hook', 'other'], 'configurations');
    const gone = DeleteTaskPushNotificationConfigRequest.fromJSON({ taskId, id: 'hook' });
    await client.deleteTaskPushNotificationConfig(gone);
    await client.deleteTaskPushNotificationConfig(gone);
    assert.deepEqual(await list(), ['other'], 'configurations after the delete');
  },

  async push_delivery(peer) {
    const seen = [];
    const server = createServer(async (incoming, answer) => {
      let body = '';
      for await (const piece of incoming) body += piece;
      // The way through the types of the client.
      const event = StreamResponse.toJSON(StreamResponse.fromJSON(JSON.parse(body)));
      seen.push([incoming.headers['x-a2a-notification-token'], event]);
      answer.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const url = `http://127.0.0.1:${server.address().port}/hook`;
      const configuration = { taskPushNotificationConfig: { id: 'hook', url, token: 'secret' } };
      await peer.task('slow', { configuration });
      while (!seen.some(([, event]) => kindOf(event) === 'statusUpdate COMPLETED')) await sleep(20);
      assert.ok(seen.every(([token]) => token === 'secret'), 'each notification has the token');
      assert.equal(chunksOf(seen.map(([, event]) => event)), SLOW, 'chunks');
    } finally {
      server.close();
      server.closeAllConnections();
    }
  },
};

async function main() {
  const string = { type: 'string' };
  const { values } = parseArgs({
    options: { base: string, run: { ...string, default: 'default' }, token: string, only: string },
  });
  const scenarios = { ...SCENARIOS[values.run] };
  const declared = (await new Peer(values.base, 'JSONRPC').card()).capabilities;
  if (values.run === 'default' && declared.pushNotifications) Object.assign(scenarios, PUSH);
  let failed = 0;
  for (const binding of Object.keys(TRANSPORTS)) {
    for (const [name, scenario] of Object.entries(scenarios)) {
      const cell = `${binding}/${name}`;
      if (values.only && !new RegExp(values.only).test(cell)) continue;
      const late = sleep(SECONDS * 1000, undefined, { ref: false }).then(() => {
        throw new Error(`not done within ${SECONDS} s`);
      });
      try {
        await Promise.race([scenario(new Peer(values.base, binding, values.token)), late]);
        console.log(`ok ${cell}`);
      } catch (error) {
        failed += 1;
        console.log(`FAIL ${cell} ${String(error.stack ?? error).replaceAll('\n', ' | ').slice(0, 1500)}`);
      }
    }
  }
  process.exit(failed > 0 ? 1 : 0);
}

await main();
