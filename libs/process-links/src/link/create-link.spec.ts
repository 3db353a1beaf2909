import { openLinkPair, type LinkPair } from '../__fixtures__/link-pair';
import { FrameReader, FRAME_BYTES_MAX, encodeFrame } from './frame-reader';

describe('a link', () => {
  let pair: LinkPair;
  const open = async (options: Parameters<typeof openLinkPair>[0] = {}): Promise<void> => void (pair = await openLinkPair(options));
  afterEach(() => {
    pair.near.close();
    pair.far.close();
  });

  it('carries calls both ways, with bigints, maps and bytes, and what they are rejected with', async () => {
    await open();
    pair.far.serve({
      double: (value: bigint) => Promise.resolve(value * 2n),
      count: (values: ReadonlyMap<string, Uint8Array>) => new Map([...values].map(([name, bytes]) => [name, bytes.length])),
      fail: () => Promise.reject(new Error('no such thing')),
      throwAtOnce: () => {
        throw new Error('at once');
      },
    });
    pair.near.serve({ nothing: () => undefined });

    expect(await pair.near.call('double', 2n ** 70n)).toBe(2n ** 71n);
    expect(await pair.near.call('count', new Map([['a', Uint8Array.of(1, 2)]]))).toEqual(new Map([['a', 2]]));
    expect(await pair.far.call('nothing')).toBeUndefined();
    await expect(pair.near.call('fail')).rejects.toThrow('no such thing');
    await expect(pair.near.call('throwAtOnce')).rejects.toThrow('at once');
    await expect(pair.near.call('missing')).rejects.toThrow('nothing called missing is served');
  });

  it('sends all calls of one tick in one message, and serves them in their order', async () => {
    await open();
    const served: number[] = [];
    pair.far.serve({ note: (value: number) => served.push(value) });
    const write = jest.spyOn(pair.sockets[0], 'write');

    await Promise.all(Array.from({ length: 50 }, (_, value) => pair.near.call('note', value)));

    expect(write).toHaveBeenCalledTimes(1);
    expect(served).toEqual(Array.from({ length: 50 }, (_, value) => value));
  });

  it('rejects what is under way when the other end goes, and everything after it', async () => {
    await open();
    pair.far.serve({ hang: () => new Promise(() => undefined) });
    const lost = new Promise<void>((resolve) => pair.near.onLost(resolve));
    const hanging = pair.near.call('hang');
    const rejected = expect(hanging).rejects.toThrow('is gone');
    pair.far.close();

    await rejected;
    await lost;
    await expect(pair.near.call('hang')).rejects.toThrow('is gone');
    const atOnce = jest.fn();
    pair.near.onLost(atOnce);
    expect(atOnce).toHaveBeenCalledTimes(1);
  });

  it('rejects a call that is not replied to in time, and goes on', async () => {
    await open({ timeoutMs: 50 });
    pair.far.serve({ hang: () => new Promise(() => undefined), reply: () => 1 });
    await expect(pair.near.call('hang')).rejects.toThrow('did not reply within 50 ms');
    expect(await pair.near.call('reply')).toBe(1);
  });

  it('rejects calls while the other end does not read', async () => {
    await open({ waitingBytesMax: 1 });
    pair.sockets[1].pause();
    pair.near.notify('fill', Buffer.alloc(8 * 1024 * 1024));
    await new Promise(setImmediate);
    await expect(pair.near.call('anything')).rejects.toThrow('does not read');
  });

  it('is lost with the first bytes that are no message', async () => {
    await open();
    const lost = new Promise<void>((resolve) => pair.far.onLost(resolve));
    pair.sockets[0].write(Buffer.alloc(64, 0xff));
    await lost;
  });
});

describe('a frame reader', () => {
  it('puts messages together from pieces of any size', () => {
    const contents = [{ a: 1n }, 'x'.repeat(300), [1, [2]]];
    const bytes = Buffer.concat(contents.map(encodeFrame));
    for (const size of [1, 3, 7, 64, bytes.length]) {
      const reader = new FrameReader();
      const read: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size) read.push(...reader.read(bytes.subarray(at, at + size)));
      expect(read).toEqual(contents);
    }
  });

  it('refuses what is too long to be a message', () => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(FRAME_BYTES_MAX + 1);
    expect(() => new FrameReader().read(head)).toThrow('is no message');
  });
});
