import { editBody, indexMembers, type OriginalBody } from '@weir/canonical';
import { encodeError, GatewayError, toGatewayError } from '@weir/errors';
import { readJsonBody, type Upgrade } from '@weir/http-server';
import { createSseReader } from '@weir/providers';
import { randomUUID } from 'node:crypto';
import {
  request as sendRequest,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { text } from 'node:stream/consumers';
import type { RawData, WebSocket } from 'ws';

type SessionParts = Pick<Upgrade, 'request' | 'connect' | 'setBusy'> & {
  /** UTF-16 units of a conversation that are kept, so that the next message names it only. */
  readonly historyLengthMax: number;
};

/** The last response of a connection, and the items of the whole conversation up to it, as JSON text between the brackets of a list. */
type History = { readonly id: string; readonly items: string };

/** Its caller waits for the first: more are no conversation. */
const WAITING_MAX = 16;
/** What a reader who is too slow has not taken yet. */
const UNREAD_BYTES_MAX = 1024 * 1024;

const BAD_DATA = 1007;
const TOO_BIG = 1009;

const END_OF_STREAM = '[DONE]';

/** Of the connection, or set anew for each request. */
const HEADERS_OF_CONNECTION = new Set([
  ...['connection', 'upgrade', 'keep-alive', 'transfer-encoding', 'content-length', 'content-type', 'accept', 'accept-encoding'],
  ...['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-extensions', 'sec-websocket-protocol'],
]);

/**
 * One connection of the WebSocket mode of the responses interface. Messages are served one after the other. Each is sent to this
 * server as the streaming request that it stands for, and each event of the reply is a message. The last response may be
 * named by `previous_response_id`: its conversation is kept here, in memory, and sent in front of the new input.
 */
export class ResponsesSession {
  private readonly waiting: Buffer[] = [];
  private waitingBytes = 0;
  private isServing = false;
  private current: ClientRequest | null = null;
  private history: History | null = null;
  private closing: { readonly code: number; readonly reason: string } | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly parts: SessionParts,
  ) {
    parts.setBusy(false);
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      // Nothing is served for a caller who left.
      this.waiting.length = 0;
      this.current?.destroy();
    });
  }

  /** Closes the connection as soon as no response is under way. */
  closeWhenIdle(code: number, reason: string): void {
    this.closing ??= { code, reason };
    if (!this.isServing) this.socket.close(code, reason);
  }

  private receive(data: RawData, isBinary: boolean): void {
    if (isBinary) return this.socket.close(BAD_DATA, 'Send events as text.');
    const event = data as Buffer;
    if (this.waiting.length >= WAITING_MAX || this.waitingBytes + event.length > this.parts.historyLengthMax) {
      return this.socket.close(TOO_BIG, 'Send the next event when the response before it has ended.');
    }
    this.waiting.push(event);
    this.waitingBytes += event.length;
    if (!this.isServing) void this.serveAll();
  }

  /** Serves what waits, one after the other. Settles. */
  private async serveAll(): Promise<void> {
    this.isServing = true;
    this.parts.setBusy(true);
    for (let event = this.waiting.shift(); event !== undefined; event = this.waiting.shift()) {
      this.waitingBytes -= event.length;
      try {
        await this.serve(await readEvent(event));
      } catch (error) {
        this.history = null;
        this.refuse(toGatewayError(error));
      }
    }
    this.isServing = false;
    this.parts.setBusy(false);
    if (this.closing !== undefined) this.socket.close(this.closing.code, this.closing.reason);
  }

  /** Resolves when the response has ended, whatever became of it. Rejects when it has no end. */
  private async serve(event: ClientEvent): Promise<void> {
    const previous = event.previous !== undefined && this.history?.id === event.previous ? this.history : null;
    // Another response than the last one is one that the provider keeps.
    this.history = null;
    const items = previous === null ? event.input : joinItems(previous.items, event.input);
    if (event.isWarmUp) return this.warmUp(event, items);
    const set = new Map([['stream', 'true']]);
    if (previous !== null) set.set('input', `[${items}]`);
    const remove = new Set(['type', 'generate', ...(previous === null ? [] : ['previous_response_id'])]);
    // It may have left while its event was read.
    if (this.socket.readyState > this.socket.OPEN) return;
    const response = await this.send(Buffer.from(editBody(event.body, { set, remove })));
    const last = await this.passOn(response);
    if (last !== undefined) this.remember(items, last);
  }

  private send(body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = sendRequest({
        ...{ method: 'POST', path: '/v1/responses', createConnection: this.parts.connect },
        headers: { ...pickHeaders(this.parts.request.headers), 'content-type': 'application/json', 'content-length': body.length },
      });
      this.current = request;
      request.on('response', resolve);
      request.on('error', reject);
      request.end(body);
    });
  }

  /** What makes ready for the next event: nothing is asked of a provider. */
  private warmUp(event: ClientEvent, items: string): void {
    const id = `resp_${randomUUID().replaceAll('-', '')}`;
    this.keep(id, items);
    const response = {
      ...{ id, object: 'response', created_at: Math.floor(Date.now() / 1000), model: event.model, error: null, incomplete_details: null },
      ...{
        instructions: null,
        metadata: {},
        output: [],
        parallel_tool_calls: true,
        temperature: null,
        top_p: null,
        tools: [],
        tool_choice: 'auto',
      },
    };
    const usage = {
      ...{ input_tokens: 0, input_tokens_details: { cached_tokens: 0 }, output_tokens: 0, output_tokens_details: { reasoning_tokens: 0 } },
      total_tokens: 0,
    };
    this.say({ type: 'response.created', sequence_number: 0, response: { ...response, status: 'in_progress', usage: null } });
    this.say({ type: 'response.completed', sequence_number: 1, response: { ...response, status: 'completed', usage } });
  }

  private keep(id: string, items: string): void {
    if (items.length <= this.parts.historyLengthMax) this.history = { id, items };
  }

  /** Passes each event on, and returns the one that ended the response in order. */
  private async passOn(response: IncomingMessage): Promise<string | undefined> {
    const { statusCode: status, headers } = response;
    if (headers['content-type']?.startsWith('text/event-stream') !== true) {
      this.say({ ...readEnvelope(await text(response)), type: 'error', status, headers: shownHeaders(headers) });
      return undefined;
    }
    const reader = createSseReader();
    let last: string | undefined;
    for await (const chunk of response) {
      for (const { event, data } of reader.push(chunk as Buffer)) {
        if (data === END_OF_STREAM) continue;
        if (event === 'response.completed' || event === 'response.incomplete') last = data;
        this.socket.send(data);
      }
      if (this.socket.bufferedAmount > UNREAD_BYTES_MAX) await this.whenRead();
    }
    return last;
  }

  /** Resolves when the caller has read what was sent, or is gone. */
  private whenRead(): Promise<void> {
    return new Promise((resolve) => {
      this.socket.once('close', resolve);
      // Its callback comes when everything before it has left.
      this.socket.ping(undefined, undefined, () => {
        this.socket.off('close', resolve);
        resolve();
      });
    });
  }

  private remember(items: string, data: string): void {
    const response = memberOf(data, 'response') ?? '';
    const [id, output] = [memberOf(response, 'id'), memberOf(response, 'output')];
    if (id !== undefined && output !== undefined) this.keep(JSON.parse(id) as string, joinItems(items, output.slice(1, -1)));
  }

  private refuse(error: GatewayError): void {
    const { status, body } = encodeError(error, 'gateway', '');
    this.say({ ...readEnvelope(body), type: 'error', status });
  }

  private say(event: Record<string, unknown>): void {
    this.socket.send(JSON.stringify(event));
  }
}

type ClientEvent = {
  readonly body: OriginalBody;
  /** Its items, as the text between the brackets of a list. */
  readonly input: string;
  readonly model: unknown;
  readonly previous: string | undefined;
  readonly isWarmUp: boolean;
};

/** Throws `invalid_json` or `invalid_request` for everything that is no `response.create`. */
async function readEvent(bytes: Buffer): Promise<ClientEvent> {
  const { json, original: body } = await readJsonBody(bytes);
  if (json['type'] !== 'response.create' || body === undefined) {
    throw new GatewayError('invalid_request', 'Send events of the type `response.create`: this interface has no other.', { field: 'type' });
  }
  const { input, previous_response_id: previous, model = null, generate } = json;
  return {
    ...{ body, model, isWarmUp: generate === false, previous: typeof previous === 'string' ? previous : undefined },
    input: Array.isArray(input)
      ? (memberOf(body.text, 'input') ?? '[]').slice(1, -1)
      : JSON.stringify({ role: 'user', content: input ?? '' }),
  };
}

function joinItems(before: string, after: string): string {
  return [before, after].filter((items) => items.trim() !== '').join(',');
}

function memberOf(json: string, name: string): string | undefined {
  const span = indexMembers(json, name)?.at(-1);
  return span === undefined ? undefined : json.slice(span.valueStart, span.valueEnd);
}

/** An error's envelope, with its parts beside it as well, where events of a stream have them. */
function readEnvelope(body: string): Record<string, unknown> {
  let envelope: { error?: Record<string, unknown> };
  try {
    envelope = JSON.parse(body) as typeof envelope;
  } catch {
    envelope = { error: { type: 'server_error', code: 'internal', message: 'The response cannot be read.', param: null } };
  }
  const { code = null, message = '', param = null } = envelope.error ?? {};
  return { code, message, param, ...envelope };
}

function pickHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HEADERS_OF_CONNECTION.has(name)));
}

/** What a caller who tries again needs to know. */
function shownHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const shown = Object.entries(headers).filter(([name]) => name === 'retry-after' || name.startsWith('x-'));
  return Object.fromEntries(shown.map(([name, value]) => [name, String(value)]));
}
