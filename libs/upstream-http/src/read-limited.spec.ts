import { Readable } from 'node:stream';
import { readLimited, readLimitedAs, type WholeReader } from './read-limited';
import { ResponseBody } from './response-body';

const FAILED = new Error('as the reader explains it');

function createReader(read: WholeReader<string>['read']): WholeReader<string> & { readonly fail: jest.Mock } {
  return { read, fail: jest.fn(() => FAILED) };
}

describe('reading a body for a reader', () => {
  it('resolves with what the reader makes of the bytes, at once or later', async () => {
    const body = (): Readable => Readable.from([Buffer.from('a'), Buffer.from('b')]);

    expect(await readLimitedAs(body(), 2, createReader(String))).toBe('ab');
    expect(
      await readLimitedAs(
        body(),
        2,
        createReader((bytes) => Promise.resolve(`${String(bytes)}!`)),
      ),
    ).toBe('ab!');
  });

  it('reads one that is complete at once', async () => {
    const complete = (): ResponseBody => {
      const body = new ResponseBody({ pause: () => undefined, resume: () => undefined, abort: () => undefined });
      body.push(Buffer.from('ab'));
      body.end();
      return body;
    };

    expect(readLimitedAs(complete(), 2, createReader(String))).toBe('ab');
    expect(String(await readLimited(complete(), 2))).toBe('ab');
    await expect(readLimited(complete(), 1)).rejects.toMatchObject({ code: 'provider_unreadable' });
    const throwing = createReader(() => {
      throw new RangeError('no reply');
    });
    expect(() => readLimitedAs(complete(), 2, throwing)).toThrow('no reply');
    expect(throwing.fail).not.toHaveBeenCalled();
  });

  it('rejects with what the reader throws, and leaves its connection alone', async () => {
    const body = Readable.from([Buffer.from('ab')]);
    const reader = createReader(() => {
      throw new RangeError('no reply');
    });

    await expect(readLimitedAs(body, 2, reader)).rejects.toThrow('no reply');
    expect(reader.fail).not.toHaveBeenCalled();
    expect(body.errored).toBeNull();
  });

  it.each([
    ['larger than allowed', () => Readable.from([Buffer.from('abc')]), 'provider_unreadable'],
    [
      'cut',
      () => {
        const body = new Readable({ read: () => undefined });
        body.push('a');
        setImmediate(() => body.destroy(new Error('cut')));
        return body;
      },
      'provider_stream_cut',
    ],
  ])('has the reader explain, once, why one that is %s cannot be read', async (_, open, code) => {
    const reader = createReader(String);

    await expect(readLimitedAs(open(), 2, reader)).rejects.toBe(FAILED);
    await new Promise(setImmediate);
    expect(reader.fail.mock.calls).toEqual([[expect.objectContaining({ code })]]);
  });

  it('rejects with what the reader throws over a failure', async () => {
    const reader = createReader(String);
    reader.fail.mockImplementation(() => {
      throw new RangeError('no journal');
    });

    await expect(readLimitedAs(Readable.from([Buffer.from('abc')]), 2, reader)).rejects.toThrow('no journal');
  });
});
