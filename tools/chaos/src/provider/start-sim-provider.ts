import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { planReply } from './plan-reply';
import { WIRES, type Asked, type Wire } from './wire';

/** One attempt as the provider saw it, and what it bills for it. */
export type OracleEntry = {
  readonly seed: number;
  readonly model: string;
  readonly outcome: 'whole' | 'error' | 'cut' | 'hang' | 'left';
  /** Written before the connection ended. */
  readonly producedTokens: number;
  readonly billedInput: number;
  readonly billedOutput: number;
  readonly startedAt: number;
  /** When the provider noticed its end. */
  readonly endedAt: number;
};

export type SimProvider = {
  readonly port: number;
  /** Bills what it had produced when its caller left. */
  readonly abortUrl: string;
  /** Bills the whole reply, also when the client left. */
  readonly drainUrl: string;
  /** Every attempt that has ended. */
  readonly oracle: readonly OracleEntry[];
  /** Attempts that have not ended yet. */
  readonly running: () => number;
  /** Whether the attempt of this seed has come and not ended. */
  readonly isRunning: (seed: number) => boolean;
  /** Tokens written so far by an attempt that still runs. */
  readonly producedOf: (seed: number) => number;
  stop(): Promise<void>;
};

const TOKENS_PER_TURN = 20;

type Exchange = Asked & { readonly wire: Wire; readonly isStream: boolean; readonly stopsBilling: boolean; readonly startedAt: number };

/** A provider whose every reply follows from the request, and which writes down what it produced. It is never killed. */
export async function startSimProvider(oraclePath: string): Promise<SimProvider> {
  const oracle: OracleEntry[] = [];
  const producedBySeed = new Map<number, number>();
  const note = (entry: OracleEntry): void => {
    producedBySeed.delete(entry.seed);
    oracle.push(entry);
    appendFileSync(oraclePath, `${JSON.stringify(entry)}\n`);
  };
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = readExchange(request, await readText(request));
    if (exchange === undefined) return void response.writeHead(400).end('{"error":{"message":"no seed"}}');
    const { plan } = exchange;
    producedBySeed.set(plan.seed, 0);
    // Whether its caller left, and when, is what the oracle is asked for: only the socket knows.
    const ended = response.destroyed ? Promise.resolve() : new Promise<void>((resolve) => response.once('close', resolve));
    const outcome = await answer(exchange, response, (tokens) => producedBySeed.set(plan.seed, tokens));
    if (outcome === 'hang') await ended;
    const produced = producedBySeed.get(plan.seed) ?? 0;
    note({
      seed: plan.seed,
      model: exchange.model,
      outcome,
      producedTokens: produced,
      ...bill(exchange, outcome, produced),
      ...times(exchange),
    });
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    abortUrl: `http://127.0.0.1:${port}/abort`,
    drainUrl: `http://127.0.0.1:${port}/drain`,
    oracle,
    running: () => producedBySeed.size,
    isRunning: (seed) => producedBySeed.has(seed),
    producedOf: (seed) => producedBySeed.get(seed) ?? 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function readExchange(request: IncomingMessage, body: string): Exchange | undefined {
  const plan = planReply(body);
  const url = request.url ?? '';
  const wire = Object.entries(WIRES).find(([path]) => url.endsWith(path))?.[1];
  if (plan === undefined || wire === undefined) return undefined;
  const { model, stream } = JSON.parse(body) as { model?: string; stream?: boolean };
  return { plan, wire, model: model ?? '', isStream: stream === true, stopsBilling: url.startsWith('/abort/'), startedAt: Date.now() };
}

async function answer(exchange: Exchange, response: ServerResponse, onProduced: (tokens: number) => void): Promise<OracleEntry['outcome']> {
  const { plan } = exchange;
  if (plan.firstByteMs > 0) await pauseOrLeave(response, plan.firstByteMs);
  if (plan.ending === 'hang') return 'hang';
  if (plan.ending === 'error') {
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"made to fail","type":"server_error"}}');
    return 'error';
  }
  if (exchange.isStream) return stream(exchange, response, onProduced);
  return sendWhole(exchange, response, onProduced);
}

async function sendWhole(
  exchange: Exchange,
  response: ServerResponse,
  onProduced: (tokens: number) => void,
): Promise<OracleEntry['outcome']> {
  const { plan, wire } = exchange;
  const bytes = Buffer.from(wire.whole(exchange));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  onProduced(plan.outputTokens);
  if (plan.ending === 'cut') {
    response.write(bytes.subarray(0, bytes.length >> 1), () => resetSocket(response.socket));
    return 'cut';
  }
  return (await finish(response, bytes)) ? 'whole' : 'left';
}

async function stream(exchange: Exchange, response: ServerResponse, onProduced: (tokens: number) => void): Promise<OracleEntry['outcome']> {
  const { plan, wire } = exchange;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let text = wire.open(exchange);
  const end = plan.ending === 'cut' ? plan.cutAfter : plan.outputTokens;
  for (let index = 0; index < end; index += 1) {
    if (response.destroyed) return 'left';
    text += wire.token(exchange, index);
    if (plan.gapMs === 0 && (index + 1) % TOKENS_PER_TURN !== 0) continue;
    await write(response, text);
    text = '';
    onProduced(index + 1);
    if (plan.gapMs > 0) await pauseOrLeave(response, plan.gapMs);
  }
  if (response.destroyed) return 'left';
  if (plan.ending === 'cut') {
    await write(response, text);
    onProduced(end);
    resetSocket(response.socket);
    return 'cut';
  }
  onProduced(end);
  return (await finish(response, text + wire.close(exchange))) ? 'whole' : 'left';
}

/** Resolves when the bytes are with the kernel, or no one takes them any more. */
function write(response: ServerResponse, bytes: string): Promise<void> {
  if (bytes === '' || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('close', resolve);
    response.write(bytes, () => {
      response.off('close', resolve);
      resolve();
    });
  });
}

/** Returns whether all of it was sent. */
function finish(response: ServerResponse, bytes: string | Buffer): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    response.once('close', () => resolve(response.writableFinished));
    response.end(bytes, () => resolve(true));
  });
}

function pauseOrLeave(response: ServerResponse, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    response.once('close', done);
    function done(): void {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    }
  });
}

function resetSocket(socket: Socket | null): void {
  socket?.resetAndDestroy();
}

function bill(
  { plan, stopsBilling }: Exchange,
  outcome: OracleEntry['outcome'],
  produced: number,
): { billedInput: number; billedOutput: number } {
  if (outcome === 'error' || outcome === 'hang') return { billedInput: 0, billedOutput: 0 };
  const output = outcome === 'whole' || (outcome === 'left' && !stopsBilling) ? plan.outputTokens : produced;
  return { billedInput: plan.promptTokens, billedOutput: output };
}

function times({ startedAt }: Exchange): { startedAt: number; endedAt: number } {
  return { startedAt, endedAt: Date.now() };
}
