import { readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';

/** What a running server says about itself in `postmaster.pid`. */
export type Postmaster = { readonly pid: number; readonly port: number; readonly isReady: boolean };

/** Answers undefined when there is no file, or one that is still being written. */
export async function readPostmasterFile(dataDirectory: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => undefined);
  const lines = text?.split(/\r?\n/) ?? [];
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number.isInteger(port) ? port : 0, isReady: lines[7]?.trim() === 'ready' };
}

/** Whether a process runs; one that has ended but that nobody has collected does not. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat === undefined || !/^\d+ \(.*\) [ZX]/s.test(stat);
}

/** Whether the process could be a Postgres server: after a reboot the same id may belong to anything. */
export async function isPostgresProcess(pid: number): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres');
  return name.trim() === 'postgres';
}

/** The first message of the Postgres protocol that any server answers, with one byte and without credentials. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** Whether something that speaks Postgres answers at the port. */
export function answersPostgres(port: number, timeoutMs = 2_000): Promise<boolean> {
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
