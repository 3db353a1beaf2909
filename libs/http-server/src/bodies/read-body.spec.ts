import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { readBody, receiveBytes } from './read-body';

it.each(['he', 'hello'])('does not wait for the body of a caller who was gone before anybody read it: %s', async (sent) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  caller.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\n${sent}`);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  request.on('error', () => undefined);
  const left = new Promise((resolve) => request.once('close', resolve));
  caller.destroy();
  await left;

  await expect(readBody(request, 10)).rejects.toMatchObject({ code: 'invalid_request' });
  await new Promise((resolve) => server.close(resolve));
});

describe('receiving bytes', () => {
  const open = (bytesMax: number, use: (bytes: Buffer) => void = () => undefined) => {
    const request = Object.assign(new PassThrough(), { headers: {} });
    const receiver = { use: jest.fn(use), fail: jest.fn() };
    receiveBytes(request as unknown as IncomingMessage, bytesMax, receiver);
    return { request, receiver };
  };
  const turn = () => new Promise(setImmediate);

  it('passes all of them on, once, and fails of nothing that comes later', async () => {
    const { request, receiver } = open(4);
    request.write('ab');
    request.end('cd');
    await turn();
    request.destroy();
    await turn();
    expect(receiver.use.mock.calls.map(([bytes]) => String(bytes))).toEqual(['abcd']);
    expect(receiver.fail).not.toHaveBeenCalled();
  });

  it.each([
    ['too long', (request: PassThrough) => void request.write('abcde'), 'body_too_large'],
    ['cut', (request: PassThrough) => void request.destroy(), 'invalid_request'],
    ['broken', (request: PassThrough) => void request.destroy(new Error('broken')), 'invalid_request'],
  ])('fails once when they are %s', async (_, send, code) => {
    const { request, receiver } = open(4);
    send(request);
    await turn();
    request.destroy();
    await turn();
    expect(receiver.fail.mock.calls).toEqual([[expect.objectContaining({ code })]]);
    expect(receiver.use).not.toHaveBeenCalled();
  });

  it('fails with what their user throws', async () => {
    const refused = new Error('refused');
    const { request, receiver } = open(4, () => {
      throw refused;
    });
    request.end('ab');
    await turn();
    expect(receiver.fail.mock.calls).toEqual([[refused]]);
  });
});
