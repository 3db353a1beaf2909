import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { tightenMode } from '@weir/directory-lock';
import type { LockedCluster } from './initialize-cluster';
import { speaksPostgres, readPostmasterFile } from './postmaster-file';

export type ServerSettings = Readonly<Record<string, string>>;

/** Recovery after a crash may have to replay a lot. */
const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 15;

/**
 * Starts the server and waits until it accepts connections. It is detached, in a process group of its own, so that Ctrl-C in a
 * terminal reaches only the gateway, which drains first; and it logs to a file, so that it survives a killed parent. It and
 * its children keep the cluster's lock open: it is free only when the last of them has ended.
 */
export async function startServer(
  cluster: LockedCluster,
  { port, settings }: { port: number; settings: ServerSettings },
): Promise<{ pid: number; port: number }> {
  const { binaries, user, dataDirectory, directory, lockFd, onBegun } = cluster;
  const logPath = join(directory, 'postgres.log');
  const logFile: FileHandle = await open(logPath, 'w', 0o600);
  tightenMode(logPath);
  try {
    const extra = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const args = ['-D', dataDirectory, '-p', String(port), '-k', '', '-c', 'listen_addresses=127.0.0.1', ...extra];
    const child = spawn(binaries.postgres, args, {
      ...user,
      cwd: dataDirectory,
      detached: true,
      stdio: ['ignore', logFile.fd, logFile.fd, lockFd],
      windowsHide: true,
    });
    onBegun();
    const pid = await waitUntilReady(child, { dataDirectory, port });
    child.unref();
    return { pid, port };
  } catch (error) {
    const words = (await readFile(logPath, 'utf8').catch(() => '')).trim().slice(-2_000);
    throw new Error(`Postgres did not start: ${error instanceof Error ? error.message : String(error)}. Its log says: ${words}`, {
      cause: error,
    });
  } finally {
    await logFile.close();
  }
}

async function waitUntilReady(child: ChildProcess, { dataDirectory, port }: { dataDirectory: string; port: number }): Promise<number> {
  let ended: Error | undefined;
  child.on('error', (error) => {
    ended = error;
  });
  child.on('exit', (code, signal) => {
    ended = new Error(`it ended with ${signal ?? code}`);
  });
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (ended !== undefined) throw ended;
    const found = await readPostmasterFile(dataDirectory);
    if (found !== undefined && found.pid === child.pid && found.isReady && (await speaksPostgres(port))) return found.pid;
    if (Date.now() > deadline) {
      child.kill('SIGQUIT');
      throw new Error('it was not ready in time');
    }
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
}

/** A port no one listens on at this moment. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
