import { existsSync } from 'node:fs';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startEmbeddedPostgres } from '@weir/embedded-postgres';
import { Client } from 'pg';
import { dropAbandonedDatabases } from './create-test-databases';
import { startWatcher } from './end-with-process';

/** No one misses this data, so nothing waits for the disk. The log is kept short: it may be in memory. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '300', max_wal_size: '256MB' };
/** A file system in memory, where the system has one. */
const MEMORY_FOLDER = '/dev/shm';
const MEMORY_BYTES_MIN = 4 * 1024 ** 3;

/**
 * Gives up this process's lease when the process ends in whatever way, and stops the server when no lease of a living
 * process is left; a little later than at once, because the next suite may be on its way.
 */
const WATCHER = `
const { readdirSync, readFileSync, rmSync } = require('node:fs');
const [directory, lease] = process.argv.slice(1);
const isLeased = () => readdirSync(directory + '/leases').some((name) => {
  try { process.kill(Number(name.split('-')[0]), 0); return true; } catch (error) { return error.code === 'EPERM'; }
});
process.stdin.on('data', () => undefined);
process.stdin.on('end', () => {
  rmSync(directory + '/leases/' + lease, { force: true });
  setTimeout(() => {
    if (isLeased()) return;
    try { process.kill(Number(readFileSync(directory + '/data/postmaster.pid', 'utf8').split('\\n')[0]), 'SIGINT'); } catch { /* it has ended */ }
  }, 2000);
});
`;

/** One embedded server for all test processes of this user. It outlives none of them, its data outlives them all. */
export async function leaseLocalPostgres(): Promise<{ url: string; isNews: boolean }> {
  const directory = await chooseFolder(`weir-test-postgres-${process.getuid?.() ?? 0}`);
  await mkdir(join(directory, 'leases'), { recursive: true });
  const lease = `${process.pid}-${Math.round(performance.timeOrigin)}`;
  const leasePath = join(directory, 'leases', lease);
  const isNews = !existsSync(leasePath);
  if (isNews) {
    await writeFile(leasePath, '');
    startWatcher(WATCHER, [directory, lease]);
  }
  const url = await startChecked(directory);
  if (isNews) await dropAbandonedDatabases(url);
  return { url, isNews };
}

/** In memory where there is plenty: to make the thousand files of each suite's database takes a disk ten times as long. */
async function chooseFolder(name: string): Promise<string> {
  const inMemory = join(MEMORY_FOLDER, name);
  // What was chosen stays chosen: all processes share one server, whatever is free by now.
  if (existsSync(inMemory)) return inMemory;
  const free = await statfs(MEMORY_FOLDER).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(free, freemem()) < MEMORY_BYTES_MIN ? join(tmpdir(), name) : inMemory;
}

/** A server that was adopted may be on its way down: it counts once it has answered a question. */
async function startChecked(directory: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { url, leave } = await startEmbeddedPostgres({ directory, settings: SETTINGS });
      // Who looked after it further would do so after its suite has ended, when Jest has taken away what it looks with.
      await leave();
      const client = new Client({ connectionString: url });
      client.on('error', () => undefined);
      await client.connect();
      await client.query('select 1').finally(() => client.end());
      return url;
    } catch (error) {
      if (attempt === 5) throw error;
      // Without waiting for the disk, a crash of the machine can leave data that no server can read.
      if (attempt === 4) await rm(join(directory, 'data'), { recursive: true, force: true });
      await new Promise((resume) => setTimeout(resume, 300));
    }
  }
}
