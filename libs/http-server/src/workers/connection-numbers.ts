import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';

/** What a worker knows of one connection: by what name short passports name it, and how far they have come. */
export type NumberedConnection = {
  readonly name: string;
  /** Of the last short passport; the next one has a higher number. */
  last: number;
};

const NAME_BYTES = 12;
const connections = new WeakMap<Socket, NumberedConnection>();

/** No two connections of any worker have the same name, so a passport that names one is worth nothing on another. */
export function findConnection(socket: Socket): NumberedConnection {
  let connection = connections.get(socket);
  if (connection === undefined) {
    connection = { name: randomBytes(NAME_BYTES).toString('base64url'), last: 0 };
    connections.set(socket, connection);
  }
  return connection;
}
