import { isProcessAlive } from '@weir/directory-lock';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';

/** What a running server says about itself in `postmaster.pid`. */
export type Postmaster = { readonly pid: number; readonly port: number; readonly isReady: boolean };

/** Returns undefined when there is no file, or one that is still being written. */
export async function readPostmasterFile(dataDirectory: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => undefined);
  const lines = text?.split(/\r?\n/) ?? [];
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number.isInteger(port) ? port : 0, isReady: lines[7]?.trim() === 'ready' };
}

/** Whether the process is the server of this data, as far as can be seen: a number is given out again, also to another server. */
export async function isServerOf(dataDirectory: string, pid: number): Promise<boolean> {
  if (!isProcessAlive(pid)) return false;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres');
  if (name.trim() !== 'postgres') return false;
  // A server works in its data directory. Where the kernel shows neither name nor place, the file is believed.
  const place = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return place === undefined || place === (await realpath(dataDirectory));
}

/** The first message of the Postgres protocol that every server replies to, with one byte and without credentials. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** Whether a server that speaks the Postgres protocol listens at the port. */
export function speaksPostgres(port: number, timeoutMs = 2_000): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => finish(false));
    socket.on('connect', () => socket.write(SSL_REQUEST));
    socket.on('data', (reply) => finish(reply[0] === 0x4e || reply[0] === 0x53)); // N or S
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
  });
}
