import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { readBody } from './read-body';

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
