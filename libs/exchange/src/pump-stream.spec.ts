import { GatewayError } from '@weir/errors';
import { createCancellation } from '@weir/upstream-http';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createDrainLimit } from './drain-limit';
import { pumpStream } from './pump-stream';
import type { StreamConsumer } from './pumped-exchange';

class Body extends EventEmitter {
  readableEnded = false;
  pause = (): void => undefined;
  resume = (): void => undefined;
  destroy = (): void => void this.emit('close');
}

/** Such pieces take their consumer long. */
const SLOW = 0x7a;
const BYTES_PER_MS = 512;

function spendTime(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

type Opening = {
  readonly heartbeatMs?: number;
  readonly failure?: GatewayError;
  readonly mayBeFollowed?: boolean;
  readonly wait?: () => void;
  /** Nothing of it is content. */
  readonly isEmpty?: boolean;
  /** The third piece is content. */
  readonly contentWithinMs?: number;
  readonly isCrowded?: () => boolean;
  /** What is journalled is settled with the last piece, and has to become durable first. */
  readonly durable?: Promise<void>;
};

/** A stream of pieces; "!" fails in mid-piece, "." ends it, as `failure` where there is one. Under way from the second piece on. */
function open(opening: Opening = {}) {
  const { heartbeatMs = 60_000, failure, isCrowded = () => false, durable, mayBeFollowed = true, wait, contentWithinMs, isEmpty } = opening;
  const rest = jest.fn();
  const reported: string[] = [];
  const body = new Body();
  const written: string[] = [];
  const cancellation = createCancellation();
  const response = {
    destroyed: false,
    writableNeedDrain: false,
    write: (bytes: string) => written.push(bytes) > 0,
    end: (bytes: string) => void (written.push(bytes), reported.push('end')),
  } as unknown as ServerResponse;
  let [pieces, isComplete] = [0, false];
  let leave: () => void = () => undefined;
  let fresh = '';
  const consumer: StreamConsumer = {
    push: (chunk) => {
      const [before = '', failed] = chunk.toString().split('!');
      if (failed !== undefined) {
        fresh = before;
        throw new GatewayError('provider_overloaded', '');
      }
      pieces += 1;
      if (chunk[0] === SLOW) spendTime(chunk.length / BYTES_PER_MS);
      isComplete ||= chunk.toString().endsWith('.');
      return chunk.toString();
    },
    end: () => {
      if (!isComplete) throw new GatewayError('provider_stream_cut', '');
      return '$';
    },
    fail: ({ code }) => `${fresh}<${code}>`,
    abandon: () => void reported.push('abandoned'),
    isSettled: () => durable !== undefined && isComplete,
    isComplete: () => isComplete,
    failure: () => failure,
  };
  const lane = {
    ...{ consumer, heartbeat: '~', wait },
    isUnderWay: () => isEmpty !== true && (pieces > 1 || isComplete),
    drop: (error: unknown) => void reported.push(`dropped ${(error as GatewayError).code}`),
    hasContent: () => pieces > 2 || fresh !== '',
    contentWithinMs,
  };
  const noted: string[] = [];
  const place = {
    noteStreaming: () => void noted.push('streaming'),
    noteOver: (error?: GatewayError) => void noted.push(error?.code ?? 'well'),
  };
  const over = pumpStream(
    {
      session: { response, signal: cancellation.signal, onClientGone: (listener) => (leave = listener), isCrowded },
      exchange: { lane: { provider: { onCancel: 'abort' } }, upstream: { body }, attempt: { noteFirstByte: () => undefined }, place },
      ...{ lane, mayBeFollowed },
      commit: () => void reported.push('head'),
    },
    { heartbeatMs, whenDurable: () => durable ?? null, failPoint: () => undefined, drains: createDrainLimit(), rest },
  );
  const push = (...chunks: string[]) => chunks.forEach((chunk) => body.emit('data', Buffer.from(chunk)));
  return { reported, noted, written, body, push, over, leave: () => leave(), response, cancellation, rest };
}

describe('a stream that may still be asked for elsewhere', () => {
  it('is held back until it is under way, then passed on as it comes', async () => {
    const { reported, written, push, body, over } = open();
    push('a');
    expect([reported, written]).toEqual([[], []]);
    push('b');
    expect([reported, written]).toEqual([['head'], ['a', 'b']]);
    push('.');
    body.emit('end');
    await over;
    expect([reported, written.join('')]).toEqual([['head', 'end'], 'ab.$']);
  });

  it.each([
    ['an error in its first words', (push: (chunk: string) => void) => push('!'), 'provider_overloaded'],
    ['an error after them', (push: (chunk: string) => void) => (push('a'), push('!')), 'provider_overloaded'],
  ])('is dropped for %s, with nothing sent', async (_name, run, code) => {
    const { reported, written, push, over } = open();
    run(push);
    await expect(over).rejects.toMatchObject({ code });
    expect([reported, written]).toEqual([[`dropped ${code}`], []]);
  });

  it('is passed on as far as it came when its content and a failure come in one chunk', async () => {
    const { reported, written, push, over } = open();
    push('a', 'b!');
    await over;
    expect([reported, written.join('')]).toEqual([['head', 'end'], 'ab<provider_overloaded>']);
  });

  it('is dropped when its connection breaks, or ends too early', async () => {
    for (const event of ['end', 'close']) {
      const { reported, written, push, body, over } = open();
      push('a');
      body.emit(event);
      await expect(over).rejects.toMatchObject({ code: 'provider_stream_cut' });
      expect([reported, written]).toEqual([['dropped provider_stream_cut'], []]);
    }
  });

  it('fails in front of the caller once it is under way, and names the side that broke it off', async () => {
    const { reported, noted, written, push, over } = open();
    push('a', 'b', '!');
    await over;
    expect([reported, written.join('')]).toEqual([['head', 'end'], 'ab<provider_overloaded>']);
    expect(noted).toEqual(['streaming', 'provider_overloaded']);
  });

  it('holds back its last piece and its end until what is journalled is durable, and breaks off when it never will be', async () => {
    let resolveDurable: () => void = () => undefined;
    const held = open({ durable: new Promise((resolve) => (resolveDurable = resolve)) });
    held.push('a', 'b', '.');
    held.body.emit('end');
    await new Promise(setImmediate);
    expect([held.reported, held.written.join('')]).toEqual([['head'], 'ab']);
    resolveDurable();
    await held.over;
    expect([held.reported, held.written.join('')]).toEqual([['head', 'end'], 'ab.$']);

    const failed = open({ durable: Promise.reject(new Error('the disk failed')) });
    const destroy = jest.fn();
    Object.assign(failed.response, { destroy });
    failed.push('a', 'b', '.');
    failed.body.emit('end');
    await failed.over;
    expect([failed.written.join(''), destroy.mock.calls.length > 0]).toEqual(['ab', true]);
  });

  it('does not blame its provider when its caller did not read on, or its time was up', async () => {
    const slow = open();
    slow.push('a', 'b');
    Object.assign(slow.response, { writableNeedDrain: true });
    slow.body.emit('close');
    const late = open();
    late.push('a', 'b');
    late.cancellation.abort(new GatewayError('provider_timeout', ''));
    late.body.emit('close');
    await Promise.all([slow.over, late.over]);
    expect([slow.written.at(-1), late.written.at(-1)]).toEqual(['<provider_stream_cut>', '<provider_timeout>']);
    expect([slow.noted, late.noted]).toEqual([['streaming'], ['streaming']]);
  });

  it('is the answer, however short, when it ends in order', async () => {
    const { reported, noted, written, push, body, over } = open();
    push('.');
    body.emit('end');
    await over;
    expect([reported, written.join('')]).toEqual([['head', 'end'], '.$']);
    expect(noted).toEqual(['streaming', 'well']);
  });

  it('is not taken for well when its own end reports a failure', async () => {
    const { reported, noted, push, body, over } = open({ failure: new GatewayError('provider_failed', '') });
    push('.');
    body.emit('end');
    await over;
    expect(reported).toEqual(['head', 'end']);
    expect(noted).toEqual(['streaming', 'provider_failed']);
  });

  it('is the answer once the caller had to hear something', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    const { reported, written, push, over } = open({ heartbeatMs: 1000 });
    push('a');
    jest.advanceTimersByTime(1001);
    expect([reported, written]).toEqual([['head'], ['a', ': ping\n\n']]);
    jest.advanceTimersByTime(1500);
    push('!');
    jest.useRealTimers();
    await over;
    expect(written.join('')).toBe('a: ping\n\n~<provider_overloaded>');
  });

  it('stays one that may be asked for elsewhere where its caller can be kept waiting', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    const wait = jest.fn();
    const { reported, written, push, over } = open({ heartbeatMs: 1000, wait });
    push('a');
    jest.advanceTimersByTime(2002);
    expect([reported, written, wait.mock.calls.length]).toEqual([[], [], 2]);
    jest.useRealTimers();
    push('!');
    await expect(over).rejects.toMatchObject({ code: 'provider_overloaded' });
    expect([reported, written]).toEqual([['dropped provider_overloaded'], []]);
  });

  it('is held back as far as memory goes', async () => {
    const { reported, written, push, body, over } = open({ isEmpty: true });
    for (let times = 0; times < 1024; times += 1) push('a'.repeat(2 * 1024));
    expect([reported, written]).toEqual([[], []]);
    push('.');
    expect([reported, written.length]).toEqual([['head'], 1025]);
    body.emit('end');
    await over;
  });

  it('has to have content in time, whether it is held back or not', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    const held = open({ contentWithinMs: 1000 });
    const begun = open({ contentWithinMs: 1000 });
    const intime = open({ contentWithinMs: 1000 });
    held.push('a');
    begun.push('a', 'b');
    intime.push('a', 'b', 'c');
    jest.advanceTimersByTime(1200);
    jest.useRealTimers();
    await expect(held.over).rejects.toMatchObject({ code: 'provider_timeout' });
    await begun.over;
    expect([held.written, held.noted]).toEqual([[], ['streaming']]);
    expect([begun.written.join(''), begun.noted]).toEqual(['ab<provider_timeout>', ['streaming', 'provider_timeout']]);
    intime.push('.');
    intime.body.emit('end');
    await intime.over;
    expect(intime.written.join('')).toBe('abc.$');
  });

  it('is blamed on its provider here where no other attempt follows, which would do it', async () => {
    const { reported, noted, written, push, over } = open({ mayBeFollowed: false });
    push('!');
    await expect(over).rejects.toMatchObject({ code: 'provider_overloaded' });
    expect([reported, written, noted]).toEqual([['dropped provider_overloaded'], [], ['streaming', 'provider_overloaded']]);
  });

  it('is asked for nowhere else when its caller leaves', async () => {
    const { reported, noted, push, leave, over } = open();
    push('a');
    leave();
    await over;
    expect(reported).toEqual(['head', 'abandoned', 'end']);
    expect(noted).toEqual(['streaming']);
  });
});

describe('a stream of a process that has too much to do', () => {
  it('rests after what was passed on, for as long as that is so, and not while it is held back', async () => {
    let isCrowded = true;
    const { push, rest, body, written, over } = open({ isCrowded: () => isCrowded });
    push('a');
    expect(rest).not.toHaveBeenCalled();
    push('b');
    expect(rest.mock.calls).toEqual([[body], [body]]);
    isCrowded = false;
    push('c');
    push('.');
    body.emit('end');
    await over;
    expect(rest).toHaveBeenCalledTimes(2);
    expect(written.join('')).toBe('abc.$');
  });
});

describe('a chunk that takes long to read', () => {
  it('gives other requests their turn, and is passed on whole and before its end', async () => {
    const { written, body, push, over } = open();
    const chunk = 'z'.repeat(64 * 1024);
    let turns = 0;
    let isPaused = false;
    body.pause = () => void (isPaused = true);
    body.resume = () => void (isPaused = false);
    const watch = (): void => {
      turns += 1;
      if (written.at(-1) !== '$') setImmediate(watch);
    };
    setImmediate(watch);
    push(chunk);
    expect(isPaused).toBe(true);
    push('.');
    body.emit('end');
    body.emit('close');
    await over;
    // 128 ms of work, no more than 20 of it in one turn.
    expect(turns).toBeGreaterThan(5);
    expect(written.join('')).toBe(`${chunk}.$`);
  });
});
