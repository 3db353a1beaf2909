import fc from 'fast-check';
import { createEventLog } from './create-event-log';
import { createFrameDecoder } from './create-frame-decoder';
import { createSseReader, type SseFrame } from './sse-frames';

function readAll(text: string | Uint8Array, sizes: readonly number[] = [Infinity]): SseFrame[] {
  const bytes = Buffer.from(text);
  const reader = createSseReader();
  const frames: SseFrame[] = [];
  for (let position = 0, turn = 0; position < bytes.length; turn += 1) {
    const size = Math.min(bytes.length, sizes[turn % sizes.length] ?? 1);
    frames.push(...reader.push(bytes.subarray(position, position + size)));
    position += size;
  }
  return [...frames, ...reader.end()];
}

describe('createSseReader', () => {
  it('reads names and data, and passes over comments, ids and unknown fields', () => {
    const text = ': hello\nevent: ping\nid: 7\nretry: 10\ndata: {"a":1}\n\nunknown\ndata:x\n\n';

    expect(readAll(text)).toEqual([
      { event: 'ping', data: '{"a":1}' },
      { event: null, data: 'x' },
    ]);
  });

  it('joins several data lines with a line feed and keeps all but one leading space', () => {
    expect(readAll('data: a\ndata:  b\ndata\n\n')).toEqual([{ event: null, data: 'a\n b\n' }]);
  });

  it('accepts \\r\\n and \\r as line ends and a byte order mark before the first line', () => {
    expect(readAll('\ufeffdata: a\r\n\r\ndata: b\r\rdata: c\n\n').map((frame) => frame.data)).toEqual(['a', 'b', 'c']);
  });

  it('returns a frame whose closing blank line never came', () => {
    expect(readAll('data: a\n\ndata: b')).toEqual([
      { event: null, data: 'a' },
      { event: null, data: 'b' },
    ]);
  });

  it('returns a frame as soon as its blank line is there', () => {
    const reader = createSseReader();

    expect(reader.push(Buffer.from('data: a\n'))).toEqual([]);
    expect(reader.push(Buffer.from('\ndata: b'))).toEqual([{ event: null, data: 'a' }]);
  });

  it('gives the same frames however the bytes are cut', () => {
    const piece = fc.constantFrom('data: ', 'event: e', 'é', '🦊漢', '\n', '\r\n', '\r', ': c', 'x', ' ', ':');
    const cases = fc.tuple(fc.array(piece, { maxLength: 40 }), fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }));

    fc.assert(fc.property(cases, ([pieces, sizes]) => expect(readAll(pieces.join(''), sizes)).toEqual(readAll(pieces.join('')))));
  });

  it.each([
    ['blank lines', '\n'],
    ['blank lines of Windows', '\r\n'],
    ['comments', ': ping\n\n'],
    ['names without data', 'event: ping\n\n'],
  ])('refuses %s without end after a megabyte', (_what, piece) => {
    const reader = createSseReader();
    const chunk = Buffer.from(piece.repeat(8192));
    const read = (bytes: number): void => {
      for (let count = 0; count < bytes; count += chunk.length) reader.push(chunk);
    };

    // A frame with data begins the count anew.
    for (let turn = 0; turn < 3; turn += 1) {
      read(512 * 1024);
      expect(reader.push(Buffer.from('data: a\n\n'))).toHaveLength(1);
    }
    expect(() => read(1536 * 1024)).toThrow(expect.objectContaining({ code: 'provider_unreadable' }));
  });

  it('refuses lines of one frame without end', () => {
    const reader = createSseReader();
    const megabyte = Buffer.from('data: 0123456\n'.repeat(75_000));

    expect(() => {
      for (let count = 0; count < 64; count += 1) reader.push(megabyte);
    }).toThrow(expect.objectContaining({ code: 'provider_unreadable' }));
  });

  it('refuses a line that never ends instead of keeping it', () => {
    const reader = createSseReader();
    const megabyte = Buffer.alloc(1024 * 1024, 0x61);

    expect(() => {
      for (let count = 0; count < 33; count += 1) reader.push(megabyte);
    }).toThrow(expect.objectContaining({ code: 'provider_unreadable' }));
  });
});

describe('createFrameDecoder', () => {
  const decode = (...pieces: string[]) => {
    const log = createEventLog();
    const taken: string[] = [];
    const nothing = { end: () => undefined, learn: () => undefined, reported: () => null };
    const decoder = createFrameDecoder(log, { ...nothing, take: (data) => void taken.push(data) });
    return { events: [...pieces.flatMap((piece) => decoder.push(Buffer.from(piece))), ...decoder.end()], taken };
  };

  it('reads the failure that came in one piece instead of a stream', () => {
    expect(decode('{"error":{"message":"too ', 'many","code":429}}\n').events).toEqual([
      { type: 'error', code: 'provider_rate_limited', message: 'too many', status: 429, providerCode: '429' },
    ]);
    expect(decode('[{"error":{"message":"m"}}]').events).toMatchObject([{ type: 'error', code: 'provider_failed' }]);
    expect(decode('{"choices":[]}').events).toMatchObject([{ type: 'error', code: 'provider_unreadable' }]);
  });

  it('does not keep what never comes to an event', () => {
    const pieces = Array<string>(40).fill(`:${'c'.repeat(64 * 1024)}`);
    expect(decode('{"error":{"message":"m"}}', ...pieces).events).toEqual([]);
  });

  it('is not disturbed by what stands beside frames', () => {
    expect(decode(': hello\n\ndata: {"a":1}\n\n', '{"error":{"message":"m"}}')).toEqual({ events: [], taken: ['{"a":1}'] });
    expect(decode('', 'nothing of use').events).toEqual([]);
  });
});
