import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { makeTestFolder } from '../folders';
import { endWithProcess } from './end-with-process';
import { findFreePort } from './find-free-port';
import { getPython } from './get-python';
import { announcePart, PART_VARIABLES } from './real-part';

export type RealClickHouse = {
  readonly url: string;
  /** Makes an empty database and returns its name. */
  createDatabase(): Promise<string>;
  /** Ends it by SIGKILL, in the middle of whatever it does; undefined of one that the environment names. */
  readonly kill: (() => Promise<void>) | undefined;
  /** Starts it again, on the same data and at the same address. */
  readonly startAgain: (() => Promise<void>) | undefined;
  stop(): Promise<void>;
};

const PROGRAMS = join(__dirname, '..', '..', 'programs');
const READY_TIMEOUT_MS = 60_000;

/** The engine of ClickHouse, unless the environment names a server: `chdb` of PyPI behind the HTTP interface of a server. */
export async function getClickHouse(): Promise<RealClickHouse> {
  const given = process.env[PART_VARIABLES.clickhouse];
  if (given !== undefined && given !== '') {
    announcePart('clickhouse', 'environment', PART_VARIABLES.clickhouse);
    const nothing = { kill: undefined, startAgain: undefined, stop: () => Promise.resolve() };
    return { url: given, createDatabase: () => createDatabase(given), ...nothing };
  }
  const python = await getPython(join(PROGRAMS, 'clickhouse.txt'));
  const folder = makeTestFolder('clickhouse');
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let running = await startEngine(python, { folder, port, url });
  announcePart('clickhouse', 'local program', `chdb at ${url}`);
  return {
    url,
    createDatabase: () => createDatabase(url),
    kill: () => running.end(),
    startAgain: async () => {
      running = await startEngine(python, { folder, port, url });
    },
    stop: () => running.end(),
  };
}

type Engine = { end(): Promise<void> };
type Place = { readonly folder: string; readonly port: number; readonly url: string };

async function startEngine(python: string, { folder, port, url }: Place): Promise<Engine> {
  const child = spawn(python, [join(PROGRAMS, 'serve-clickhouse.py'), folder, String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ending = endWithProcess(child.pid ?? -1);
  const end = async (): Promise<void> => {
    ending.release();
    child.ref();
    child.kill('SIGKILL'); // what a statement has written is on disk when it returns
    await gone;
  };
  await waitUntilReady(child, url).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  child.unref();
  return { end };
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the engine of ClickHouse ended with code ${child.exitCode}`);
    const isUp = await fetch(`${url}/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    if (Date.now() > giveUpAt) throw new Error(`the engine of ClickHouse did not serve within ${READY_TIMEOUT_MS} ms`);
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

async function createDatabase(url: string): Promise<string> {
  const name = `weir_${randomBytes(8).toString('hex')}`;
  const response = await fetch(url, { method: 'POST', body: `CREATE DATABASE ${name}` });
  if (!response.ok) throw new Error(`ClickHouse made no database: ${await response.text()}`);
  return name;
}
