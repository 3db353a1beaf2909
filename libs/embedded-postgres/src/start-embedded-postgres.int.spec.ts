import { isProcessAlive, lockDirectory } from '@weir/directory-lock';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { chooseDirectory } from './choose-directory';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start-embedded-postgres';
import { findProgramUser } from './unprivileged-user';

jest.setTimeout(60_000);

let root: string;
let directory: string;
const running: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'weir-pg-spec-'));
  await chmod(root, 0o755);
  directory = join(root, 'postgres');
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of running.splice(0)) await server.stop();
  await rm(root, { recursive: true, force: true });
});

async function start(databaseName?: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    directory,
    settings: { fsync: 'off' },
    ...(databaseName === undefined ? {} : { databaseName }),
  });
  running.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Starts the server from another process, which is killed without warning when `kill` is called. */
async function startInChild(): Promise<{ url: string; pid: number; kill: () => Promise<void> }> {
  const child = spawn(process.execPath, ['--conditions=@weir/source', join(__dirname, '__fixtures__', 'start-and-wait.cjs'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const kill = async (): Promise<void> => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return { ...(JSON.parse(line.toString()) as { url: string; pid: number }), kill };
}

/** A process that has ended and is never collected: its parent became `sleep`. */
async function startZombie(): Promise<{ pid: number; parent: ChildProcess }> {
  const parent = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(parent);
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  while (isProcessAlive(pid)) await new Promise((resume) => setTimeout(resume, 10));
  return { pid, parent };
}

it('starts cold with a password of its own, on the loopback address only, and keeps the data over a warm start', async () => {
  const cold = await start();
  await query(cold.url, 'create table kept as select 42 as answer');
  expect(
    await query(cold.url, "select current_database() as name, setting as addresses from pg_settings where name = 'listen_addresses'"),
  ).toEqual([{ name: 'weir', addresses: '127.0.0.1' }]);
  await expect(query(cold.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password authentication failed/);
  expect((await stat(join(directory, 'data', 'weir.password'))).mode & 0o777).toBe(0o600);
  await cold.stop();
  expect(isProcessAlive(cold.pid)).toBe(false);

  const warm = await start();

  expect(warm.wasAdopted).toBe(false);
  expect(await query(warm.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

it('adopts the server that a killed parent left behind, and stops it in the end', async () => {
  const before = await startInChild();
  await query(before.url, 'create table kept as select 42 as answer');
  await before.kill();

  const after = await start();

  expect(after).toMatchObject({ wasAdopted: true, pid: before.pid, url: before.url });
  expect(await query(after.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await after.stop();
  expect(isProcessAlive(before.pid)).toBe(false);
});

it('does not stop a server from under another process that is still at work', async () => {
  const other = await startInChild();

  const guest = await start();
  await guest.stop();

  expect(guest).toMatchObject({ wasAdopted: true, pid: other.pid });
  expect(await query(other.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await other.kill();
  await start(); // adopted, so that it is stopped after the test
});

it('leaves a server running when it is asked to: the next one that adopts it owns it, and no one starts it again', async () => {
  const first = await start();
  await first.leave();
  const next = await start();
  expect(next).toMatchObject({ wasAdopted: true, pid: first.pid });
  await next.stop();
  await new Promise((resume) => setTimeout(resume, 1_500));
  await expect(query(next.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
});

it('leaves data alone that a server in another container works on', async () => {
  await (await start()).stop();
  // Its process number says nothing here; all that shows is the lock.
  const lock = lockDirectory(directory, 'server.lock');
  const named = join(directory, 'data', 'postmaster.pid');
  const words = `4194301\n${join(directory, 'data')}\n1790000000\n1\n\n127.0.0.1\n0\nready   \n`;
  await writeFile(named, words);

  const failing = startEmbeddedPostgres({ directory, settings: { fsync: 'off' }, patienceMs: 1_500 });

  await expect(failing).rejects.toThrow(/another Postgres works on .*in another container or on another machine/s);
  expect(await readFile(named, 'utf8')).toBe(words);
  lock?.release();
});

it('keeps the data locked as long as the server lives, though the process that began it was killed', async () => {
  const before = await startInChild();
  await before.kill();

  expect(lockDirectory(directory, 'server.lock')).toBeUndefined();
  await (await start()).stop();
  const lock = lockDirectory(directory, 'server.lock');
  expect(lock).toBeDefined();
  lock?.release();
});

it('starts over a file that a dead server left, whatever process has its number by now', async () => {
  await (await start()).stop();
  const zombie = await startZombie();
  for (const pid of [process.pid, zombie.pid]) {
    const words = `${pid}\n${join(directory, 'data')}\n1790000000\n1\n\n127.0.0.1\n0\nready   \n`;
    await writeFile(join(directory, 'data', 'postmaster.pid'), words);

    const server = await start();

    expect(server.wasAdopted).toBe(false);
    await server.stop();
  }
  zombie.parent.kill('SIGKILL');
});

it('recovers what was committed when the server itself was killed', async () => {
  const first = await start();
  await query(first.url, 'create table kept as select 42 as answer');
  const { pid } = first;
  process.kill(pid, 'SIGKILL');

  const second = await start();

  expect(second.pid).not.toBe(pid);
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

it('starts a server that died again, at the same address, without being asked', async () => {
  const server = await start();
  await query(server.url, 'create table kept as select 42 as answer');
  const { pid } = server;
  process.kill(pid, 'SIGKILL');

  while (server.pid === pid) await new Promise((resume) => setTimeout(resume, 50));

  expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await server.stop();
  expect(isProcessAlive(server.pid)).toBe(false);
});

it('adds a database to a cluster that has others', async () => {
  await start();

  const second = await start('finance');

  expect(await query(second.url, 'select current_database() as name')).toEqual([{ name: 'finance' }]);
});

it('comes to one server when two starts meet on a new directory', async () => {
  const [one, two] = await Promise.all([start(), start()]);

  expect(one.pid).toBe(two.pid);
  expect(await query(two.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

it('says in a sentence why it cannot start', async () => {
  const failing = startEmbeddedPostgres({ directory, settings: { fsync: 'off', shared_buffers: 'plenty' } });

  await expect(failing).rejects.toThrow(/Postgres did not start.*shared_buffers/s);
});

(findProgramUser() === undefined ? it.skip : it)(
  'keeps the data elsewhere when root wants it in a folder no one else may enter',
  async () => {
    const closed = join(root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const said: string[] = [];

    const chosen = await chooseDirectory(join(closed, 'data'), findProgramUser(), (message) => said.push(message));

    expect(chosen).toMatch(/^\/var\/lib\/weir-postgres\/[0-9a-f-]{36}$/);
    expect(said.join()).toContain(chosen);
    expect(await chooseDirectory(join(closed, 'data'), findProgramUser(), () => undefined)).toBe(chosen);
  },
);
