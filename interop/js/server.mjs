// An agent on the official JavaScript SDK, which does what the first word of a message's text says.
//
//   node server.mjs [--port N] [--grpc-port N] [--pace SECONDS] [--bare] [--require-extension URI]
//                   [--auth none|bearer:TOKEN=NAME,...] [--broken]
//
// It follows the commands and options of our `conformance` example as far as the SDK lets it. Prints
// `READY http://127.0.0.1:PORT` when it serves; a port of 0 is any free one. With `--grpc-port` it
// serves gRPC as well, on a port of its own. With `--broken` it declares an extended card that it has
// not, and answers nothing as it should.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { AgentCard, Message, Part, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultExecutionEventBusManager,
  DefaultPushNotificationSender,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  UnauthenticatedUser,
} from '@a2a-js/sdk/server';
import { ContentTypeNotSupportedError, InvalidAgentResponseError } from '@a2a-js/sdk/errors';
import { agentCardHandler, jsonRpcHandler, restHandler } from '@a2a-js/sdk/server/express';
import express from 'express';

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

/** Publishes what happens to one task. */
class Updater {
  constructor(context, bus) {
    this.ids = { taskId: context.taskId, contextId: context.contextId };
    this.bus = bus;
  }

  message(text) {
    return { ...this.ids, messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text }] };
  }

  status(state, text) {
    const message = text === undefined ? undefined : this.message(text);
    const status = { state: `TASK_STATE_${state}`, message, timestamp: new Date().toISOString() };
    this.bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ ...this.ids, status })));
  }

  artifact(artifactId, parts, chunk = {}) {
    const event = { ...this.ids, artifact: { artifactId, parts }, ...chunk };
    this.bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(event)));
  }
}

/** Obeys the first word. */
class Conformance {
  constructor(pace) {
    this.pace = pace * 1000;
    this.canceled = new Set();
    this.contexts = new Map();
  }

  execute = async (context, bus) => {
    const updater = new Updater(context, bus);
    const text = context.userMessage.parts.map((part) => Part.toJSON(part).text ?? '').join('\n');
    const [word, number] = text.split(/\s+/).filter(Boolean);
    if (word === 'message' && !context.task) {
      const answer = { ...updater.message(`echo: ${text}`), taskId: '' };
      bus.publish(AgentEvent.message(Message.fromJSON(answer)));
      bus.finished();
      return;
    }
    this.contexts.set(context.taskId, context.contextId);
    bus.publish(AgentEvent.task(context.task ?? begun(context)));
    await this.obey(context, updater, text, word, number);
    bus.finished();
  };

  async obey(context, updater, text, word, number) {
    switch (word) {
      case 'ask':
        return updater.status('INPUT_REQUIRED', 'What else should I know?');
      case 'auth':
        return updater.status('AUTH_REQUIRED', 'Who allows this?');
      case 'reject':
        return updater.status('REJECTED', 'I would rather not.');
      case 'fail':
        updater.status('WORKING');
        return updater.status('FAILED', 'It did not work out.');
      case 'panic':
        updater.status('WORKING');
        throw new Error('asked to');
      case 'slow':
        updater.status('WORKING');
        if (await this.chunks(context.taskId, updater, 3)) updater.status('COMPLETED', 'slow done');
        return undefined;
      case 'forever':
        updater.status('WORKING');
        await this.chunks(context.taskId, updater, Infinity);
        return undefined;
      case 'kinds':
        updater.artifact('kinds', KINDS);
        return updater.status('COMPLETED');
      case 'stream':
        if (/^\d+$/.test(number ?? '')) {
          updater.status('WORKING');
          this.stream(updater, Number(number));
          return updater.status('COMPLETED');
        }
    }
    updater.status('WORKING');
    updater.artifact('echo', [{ text: `echo: ${text}` }]);
    return updater.status('COMPLETED', `echo: ${text}`);
  }

  /** Whether all chunks came; a task that is canceled has no more. */
  async chunks(taskId, updater, count) {
    for (let number = 1; number <= count; number += 1) {
      await sleep(this.pace);
      if (this.canceled.delete(taskId)) return false;
      const chunk = { append: number > 1, lastChunk: number === count };
      updater.artifact('slow', [{ text: `chunk ${number};` }], chunk);
    }
    return true;
  }

  stream(updater, count) {
    for (let number = 1; number <= count; number += 1) {
      const text = `chunk ${String(number).padStart(8, '0')} abcde`;
      updater.artifact('stream', [{ text }], { append: number > 1, lastChunk: number === count });
    }
  }

  cancelTask = async (taskId, bus) => {
    this.canceled.add(taskId);
    const status = { state: 'TASK_STATE_CANCELED', timestamp: new Date().toISOString() };
    const event = { taskId, contextId: this.contexts.get(taskId), status };
    bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(event)));
    bus.finished();
  };
}

/** Refuses what an executor cannot: its errors are failed tasks. */
class Refusing extends DefaultRequestHandler {
  broken = false;

  async sendMessage(params, context) {
    this.check(params);
    return super.sendMessage(params, context);
  }

  async *sendMessageStream(params, context) {
    this.check(params);
    yield* super.sendMessageStream(params, context);
  }

  check({ message }) {
    if (this.broken) throw new InvalidAgentResponseError('asked to');
    if (message?.parts.some((part) => part.mediaType === 'application/x-unsupported')) {
      throw new ContentTypeNotSupportedError('only text and data');
    }
  }
}

/** A new task that holds the message. */
function begun(context) {
  const { taskId: id, contextId, userMessage } = context;
  const status = { state: 'TASK_STATE_SUBMITTED', timestamp: new Date().toISOString() };
  const message = { ...Message.toJSON(userMessage), taskId: id, contextId };
  return Task.fromJSON({ id, contextId, status, history: [message] });
}

function cardOf(options, base, grpcAddress, tokens) {
  const interfaces = [
    { url: `${base}/jsonrpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: `${base}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ];
  if (grpcAddress) interfaces.push({ url: grpcAddress, protocolBinding: 'GRPC', protocolVersion: '1.0' });
  const extensions = options['require-extension'] && [{ uri: options['require-extension'], required: true }];
  return {
    name: 'Conformance (JavaScript)',
    description: 'Does what the message asks it to',
    version: '1.0.0',
    supportedInterfaces: interfaces,
    capabilities: {
      streaming: !options.bare,
      pushNotifications: !options.bare,
      extendedAgentCard: (tokens.size > 0 || options.broken) && !options.bare,
      ...(extensions && { extensions }),
    },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [skill('echo', 'Echo')],
    ...(tokens.size > 0 && {
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    }),
  };
}

function skill(id, name) {
  return { id, name, description: 'Repeats what it hears', tags: [id] };
}

/** `none`, or `bearer:TOKEN=NAME` with more such pairs after commas. */
function tokensOf(text) {
  if (text === 'none') return new Map();
  if (!text.startsWith('bearer:')) throw new Error('--auth: neither none nor bearer:TOKEN=NAME,...');
  return new Map(text.slice('bearer:'.length).split(',').map((pair) => {
    const at = pair.lastIndexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)];
  }));
}

async function main() {
  const string = { type: 'string' };
  const { values: options } = parseArgs({
    options: {
      port: { ...string, default: '0' },
      'grpc-port': string,
      pace: { ...string, default: '0.4' },
      bare: { type: 'boolean', default: false },
      'require-extension': string,
      broken: { type: 'boolean', default: false },
      auth: { ...string, default: 'none' },
    },
  });
  const tokens = tokensOf(options.auth);
  const nameOf = (header) => (header?.startsWith('Bearer ') ? tokens.get(header.slice('Bearer '.length)) : undefined);
  const userOf = (header) => {
    const userName = nameOf(header);
    return userName ? { isAuthenticated: true, userName } : new UnauthenticatedUser();
  };

  const app = express();
  const server = app.listen(Number(options.port), '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${server.address().port}`;

  let grpc;
  let grpcAddress;
  if (options['grpc-port'] !== undefined) {
    const { Server, ServerCredentials, ServerInterceptingCall, status } = await import('@grpc/grpc-js');
    // The SDK takes an error of its user builder for one of its own.
    const guard = (method, call) => {
      const known = (metadata) => tokens.size === 0 || nameOf(metadata.get('authorization')[0]);
      const refusal = { code: status.UNAUTHENTICATED, details: 'who are you?' };
      const onReceiveMetadata = (metadata, next) => (known(metadata) ? next(metadata) : call.sendStatus(refusal));
      return new ServerInterceptingCall(call, { start: (next) => next({ onReceiveMetadata }) });
    };
    grpc = new Server({ interceptors: [guard] });
    const port = await new Promise((resolve, reject) => {
      const done = (error, bound) => (error ? reject(error) : resolve(bound));
      grpc.bindAsync(`127.0.0.1:${options['grpc-port']}`, ServerCredentials.createInsecure(), done);
    });
    grpcAddress = `127.0.0.1:${port}`;
  }

  const card = cardOf(options, base, grpcAddress, tokens);
  const webhooks = new InMemoryPushNotificationStore();
  const extended = { ...card, skills: [...card.skills, skill('hidden', 'Hidden')] };
  const handler = new Refusing(
    AgentCard.fromJSON(card),
    new InMemoryTaskStore(),
    new Conformance(Number(options.pace)),
    new DefaultExecutionEventBusManager(),
    webhooks,
    new DefaultPushNotificationSender(webhooks),
    tokens.size > 0 ? AgentCard.fromJSON(extended) : undefined,
  );
  handler.broken = options.broken;

  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: handler }));
  app.use((request, response, next) => {
    if (tokens.size === 0 || nameOf(request.headers.authorization)) return next();
    const error = { code: 401, status: 'UNAUTHENTICATED', message: 'who are you?' };
    return response.status(401).set('WWW-Authenticate', 'Bearer').json({ error });
  });
  // The SDK's own parser takes 100 kB.
  app.use(express.json({ limit: '16mb', type: ['application/json', 'application/*+json'] }));
  const userBuilder = async (request) => userOf(request.headers.authorization);
  app.use('/jsonrpc', jsonRpcHandler({ requestHandler: handler, userBuilder }));
  app.use('/rest', restHandler({ requestHandler: handler, userBuilder }));

  if (grpc) {
    const { A2AService, grpcService } = await import('@a2a-js/sdk/server/grpc');
    const builder = async (call) => userOf(call.metadata.get('authorization')[0]);
    grpc.addService(A2AService, grpcService({ requestHandler: handler, userBuilder: builder }));
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0));
  console.log(`READY ${base}`);
}

await main();
