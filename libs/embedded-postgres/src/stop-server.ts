import { isProcessAlive } from '@weir/directory-lock';
import type { Cluster } from './initialize-cluster';
import { readPostmasterFile } from './postmaster-file';
import { runProgram } from './run-program';

const FAST_TIMEOUT_MS = 10_000;
const KILL_TIMEOUT_MS = 2_000;
const LINGER_MS = 1_000;
const POLL_MS = 10;

/** Stops a server: at once but cleanly (open transactions are rolled back); by force when that takes too long. */
export async function stopServer(cluster: Cluster, pid: number): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals; the program that ships with Postgres knows another way.
    const { binaries, dataDirectory, user } = cluster;
    await runProgram({ program: binaries.pgCtl, args: ['stop', '-D', dataDirectory, '-m', 'fast', '-w'], user, cwd: dataDirectory });
    return;
  }
  if (!signal(pid, 'SIGINT') || (await isGone(cluster, pid, FAST_TIMEOUT_MS))) return;
  signal(pid, 'SIGKILL');
  await isGone(cluster, pid, KILL_TIMEOUT_MS);
}

function signal(pid: number, name: 'SIGINT' | 'SIGKILL'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // it has ended by itself
  }
}

async function isGone(cluster: Cluster, pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  let filelessSince: number | undefined;
  while (Date.now() < deadline) {
    if (!isProcessAlive(pid)) return true;
    // The server removes its file as the last thing it does; one that lingers after it is past doing any harm.
    if ((await readPostmasterFile(cluster.dataDirectory))?.pid !== pid) filelessSince ??= Date.now();
    if (filelessSince !== undefined && Date.now() - filelessSince > LINGER_MS) return true;
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
  return false;
}
