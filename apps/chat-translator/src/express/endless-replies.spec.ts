import { NO_USAGE } from '@weir/canonical';
import { FrameSplitter } from '../frames/frame-splitter';
import { cleanFrames } from '../frames/clean-frames';
import { countFrames } from '../frames/count-frames';
import type { ExpressTap } from '../frames/express-tap';
import { tapChatCompletions } from './tap-chat-completions';
import { tapMessages } from './tap-messages';
import { tapResponses } from './tap-responses';

/** What one read of a connection brings. */
const READ_BYTES = 64 * 1024;
const READS_MAX = 600;

const host = {
  readUsage: () => NO_USAGE,
  settle: () => ({ usage: NO_USAGE, costUsd: '0' }),
  expectedModel: '"model":"m"',
  noteModel: () => undefined,
};

const TAPS: readonly (readonly [string, () => ExpressTap])[] = [
  ['chat-completions', () => tapChatCompletions(host, { isUsageAsked: true, choices: 1 })],
  ['messages', () => tapMessages(host)],
  ['responses', () => tapResponses(host)],
];

/** Reads the same bytes again and again until they are refused; returns the error, how much was read, and the longest time of a read. */
function readUntilRefused(
  tap: ExpressTap,
  piece: string,
  first = '',
): { error: unknown; bytes: number; slowestMs: number; totalMs: number } {
  const splitter = new FrameSplitter();
  const chunk = Buffer.from(piece.repeat(Math.ceil(READ_BYTES / piece.length)));
  let bytes = 0;
  let slowestMs = 0;
  let totalMs = 0;
  let next = Buffer.from(first === '' ? chunk : first);
  for (let read = 0; read < READS_MAX; read += 1) {
    const began = process.cpuUsage();
    try {
      const whole = splitter.push(next);
      if (whole !== null) {
        tap.push(cleanFrames(whole, (data) => data));
        countFrames(whole);
      }
    } catch (error) {
      return { error, bytes, slowestMs, totalMs };
    }
    const { user, system } = process.cpuUsage(began);
    slowestMs = Math.max(slowestMs, (user + system) / 1000);
    totalMs += (user + system) / 1000;
    bytes += next.length;
    next = chunk;
  }
  throw new Error(`a stream of ${bytes} bytes was not refused`);
}

describe.each(TAPS)('a provider without end, in %s', (_dialect, open) => {
  it.each([
    ['newlines', '\n'],
    ['newlines of Windows', '\r\n'],
    ['comments', ':\n\n'],
    ['names without data', 'event: x\n\n'],
  ])('that sends %s is refused after a megabyte, and no read takes the time of others', (_what, piece) => {
    const { error, bytes, slowestMs } = readUntilRefused(open(), piece);

    expect(error).toMatchObject({ code: 'provider_unreadable' });
    expect(bytes).toBeLessThanOrEqual(1024 * 1024);
    // Of CPU time; each newline by itself took 600 of them.
    expect(slowestMs).toBeLessThan(150);
  });

  it('that sends one line is refused, and each byte of it is looked at once', () => {
    const { error, bytes, totalMs } = readUntilRefused(open(), 'x', 'data: "');

    expect(error).toMatchObject({ code: 'provider_unreadable' });
    expect(bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
    // To copy and search all that was there for each read took seconds.
    expect(totalMs).toBeLessThan(500);
  });
});

describe('blank lines between frames', () => {
  it('are passed on, and are no frames', () => {
    const tap = tapMessages(host);
    const text = '\n\n\ndata: {"type":"ping"}\n\n\n\n\n\ndata: {"type":"ping"}\r\n\r\n\r\n';

    expect(tap.push(Buffer.from(text)).toString()).toBe(text);
    expect(tap.frames()).toBe(2);
    expect(countFrames(Buffer.from('data: a\n\n\n\n\n\ndata: b\n\n'))).toBe(2);
  });
});
