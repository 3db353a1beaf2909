import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { createLink, type Link } from '../link/create-link';

export type LinkPair = { readonly near: Link; readonly far: Link; readonly sockets: readonly [Socket, Socket] };

/** Two ends of one link in this process, over a real socket. */
export async function openLinkPair(options: Parameters<typeof createLink>[1] = {}): Promise<LinkPair> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const far = await accepted;
  server.close();
  return { near: createLink(near, options), far: createLink(far, options), sockets: [near, far] };
}
