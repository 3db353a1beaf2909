import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

type NameServer = { readonly address: string; readonly asked: () => number; readonly stop: () => Promise<void> };

const HEADER_BYTES = 12;
const TYPE_A = 1;

/** A name server on loopback that replies to every query for an IPv4 address with what `next` returns, with a time to live of zero. */
export async function startNameServer(next: () => string): Promise<NameServer> {
  let asked = 0;
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const type = query.readUInt16BE(endOfName(query));
    if (type === TYPE_A) asked += 1;
    socket.send(answer(query, type === TYPE_A ? next() : undefined), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked: () => asked,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function endOfName(query: Buffer): number {
  let at = HEADER_BYTES;
  while (query[at] !== 0) at += (query[at] ?? 0) + 1;
  return at + 1;
}

function answer(query: Buffer, address: string | undefined): Buffer {
  const question = query.subarray(HEADER_BYTES, endOfName(query) + 4);
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(address === undefined ? 0 : 1, 6);
  header.writeUInt32BE(0, 8);
  if (address === undefined) return Buffer.concat([header, question]);
  // The name by reference, type A, class IN, no time to live, four bytes.
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
  return Buffer.concat([header, question, record]);
}
