import fc from 'fast-check';
import { encodeEvent, encodeException, encodeFrame } from './__fixtures__/encode-event-frame';
import { createEventFrameReader, type EventFrame } from './event-stream-frames';

/** Made with the provider's own library. */
const KNOWN =
  '0000009400000057b4ab9aee0b3a6576656e742d74797065070011636f6e74656e74426c6f636b44656c74610d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b22636f6e74656e74426c6f636b496e646578223a302c2264656c7461223a7b2274657874223a226869227d7dde556953';

function readAll(bytes: Uint8Array, sizes: readonly number[] = [Infinity]): { frames: EventFrame[]; isBroken: boolean } {
  const reader = createEventFrameReader();
  const frames: EventFrame[] = [];
  for (let position = 0, turn = 0; position < bytes.length; turn += 1) {
    const size = Math.min(bytes.length, sizes[turn % sizes.length] ?? 1);
    frames.push(...reader.push(bytes.subarray(position, position + size)));
    position += size;
  }
  return { frames, isBroken: reader.isBroken() };
}

describe('createEventFrameReader', () => {
  it('reads the known message', () => {
    const { frames, isBroken } = readAll(Buffer.from(KNOWN, 'hex'));

    expect(frames).toEqual([
      { kind: 'event', name: 'contentBlockDelta', payload: '{"contentBlockIndex":0,"delta":{"text":"hi"}}', message: '' },
    ]);
    expect(isBroken).toBe(false);
  });

  it('distinguishes exceptions and errors of the framing from events', () => {
    const error = encodeFrame({ ':message-type': 'error', ':error-code': 'InternalError', ':error-message': 'gone' }, undefined);

    expect(readAll(Buffer.concat([encodeException('throttlingException', { message: 'slow' }), error])).frames).toEqual([
      { kind: 'exception', name: 'throttlingException', payload: '{"message":"slow"}', message: '' },
      { kind: 'error', name: 'InternalError', payload: '', message: 'gone' },
    ]);
  });

  it('gives the same messages however the bytes are cut', () => {
    const event = fc.tuple(
      fc.constantFrom('messageStart', 'contentBlockDelta'),
      fc.record({ text: fc.string({ maxLength: 40, unit: 'grapheme' }) }),
    );
    const cases = fc.tuple(fc.array(event, { maxLength: 6 }), fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 }));

    fc.assert(
      fc.property(cases, ([events, sizes]) => {
        const bytes = Buffer.concat(events.map(([name, payload]) => encodeEvent(name, payload)));
        const read = readAll(bytes, sizes);

        expect(read.frames.map(({ name, payload }) => [name, JSON.parse(payload)])).toEqual(events);
        expect(read.isBroken).toBe(false);
      }),
    );
  });

  it('detects every changed byte, and returns the frames before it and none after', () => {
    const good = encodeEvent('messageStart', { role: 'assistant' });
    const bad = Buffer.from(KNOWN, 'hex');
    for (let at = 0; at < bad.length; at += 1) {
      const changed = Buffer.from(bad);
      changed.writeUInt8((changed[at] ?? 0) ^ 0x10, at);
      const read = readAll(Buffer.concat([good, changed, good]));

      expect([at, read.isBroken, read.frames.map(({ name }) => name)]).toEqual([at, true, ['messageStart']]);
    }
  });

  it('does not wait for the end of a message whose length is absurd', () => {
    const reader = createEventFrameReader();

    expect(reader.push(Buffer.from('ffffffff0000000000000000', 'hex'))).toEqual([]);
    expect(reader.isBroken()).toBe(true);
    expect(reader.push(encodeEvent('messageStart', {}))).toEqual([]);
  });

  it('waits for the rest of a message that was cut', () => {
    const { frames, isBroken } = readAll(Buffer.from(KNOWN, 'hex').subarray(0, -1));

    expect([frames, isBroken]).toEqual([[], false]);
  });
});
