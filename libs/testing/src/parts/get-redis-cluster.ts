import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endWithProcess } from './end-with-process';
import { findFreePort } from './find-free-port';
import { findProgram } from './find-program';
import { makeTestFolder } from '../folders';
import { waitUntil } from '../waiting';
import { announcePart, PART_VARIABLES } from './real-part';

const runProgram = promisify(execFile);

export type RealRedisNode = {
  readonly port: number;
  /** Stops it in the middle of whatever it does: nothing is refused, and nothing comes back. */
  pause(): void;
  resume(): void;
  /** It is gone with all it had. */
  kill(): Promise<void>;
  /** After it was killed: empty, with the slots it had. */
  start(): Promise<void>;
};

export type RealRedisCluster = {
  /** As `REDIS_URL` takes it. */
  readonly url: string;
  readonly nodes: readonly RealRedisNode[];
  /** What `redis-cli --cluster …` prints. */
  manage(...words: readonly string[]): Promise<string>;
  stop(): Promise<void>;
};

const NODES = 3;
const START_TRIES = 3;
const READY_TIMEOUT_MS = 30_000;
/** By then the other nodes take one for gone. */
const NODE_TIMEOUT_MS = 2_000;

export function canRunRedisCluster(): boolean {
  return findPrograms() !== undefined;
}

type Programs = { readonly server: string; readonly cli: string };

function findPrograms(): Programs | undefined {
  const folder = process.env[PART_VARIABLES['redis-cluster']] ?? '';
  if (folder !== '') return { server: join(folder, 'redis-server'), cli: join(folder, 'redis-cli') };
  const [server, cli] = [findProgram('redis-server'), findProgram('redis-cli')];
  return server === undefined || cli === undefined ? undefined : { server, cli };
}

/** A cluster of three masters of the suite's own; undefined when none can be had. One that is away takes no other with it. */
export async function getRedisCluster(): Promise<RealRedisCluster | undefined> {
  const programs = findPrograms();
  if (programs === undefined) return undefined;
  const directory = makeTestFolder('redis-cluster');
  const nodes = await Promise.all(Array.from({ length: NODES }, (_, index) => startNode(programs, join(directory, String(index)))));
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const manage: RealRedisCluster['manage'] = async (...words) => (await runProgram(programs.cli, ['--cluster', ...words])).stdout;
  await manage('create', ...addresses, '--cluster-replicas', '0', '--cluster-yes');
  await waitUntil(
    'all nodes of the cluster agree',
    async () => (await Promise.all(nodes.map((node) => isWhole(programs, node)))).every(Boolean),
    READY_TIMEOUT_MS,
  );
  const url = `redis+cluster://${addresses.join(',')}`;
  announcePart('redis-cluster', 'local program', `${programs.server} at ${url}`);
  return {
    url,
    nodes,
    manage,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.kill()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function isWhole({ cli }: Programs, { port }: RealRedisNode): Promise<boolean> {
  const { stdout } = await runProgram(cli, ['-p', String(port), 'cluster', 'info']);
  return stdout.includes('cluster_state:ok') && stdout.includes(`cluster_known_nodes:${NODES}`);
}

/** Ports that were free a moment ago may be taken by another suite: it begins again with others. */
async function startNode(programs: Programs, directory: string): Promise<RealRedisNode> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startNodeOnce(programs, join(directory, String(tries)));
    } catch (error) {
      if (tries === START_TRIES) throw error;
    }
  }
}

async function startNodeOnce(programs: Programs, directory: string): Promise<RealRedisNode> {
  mkdirSync(directory, { recursive: true });
  const [port, busPort] = [await findFreePort(), await findFreePort()];
  const options = {
    ...{ port, 'cluster-port': busPort, bind: '127.0.0.1', dir: directory, save: '', appendonly: 'no' },
    ...{ 'cluster-enabled': 'yes', 'cluster-config-file': 'nodes.conf', 'cluster-node-timeout': NODE_TIMEOUT_MS },
    'cluster-require-full-coverage': 'no',
  };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const launch = async (): Promise<{ child: ChildProcess; ending: ReturnType<typeof endWithProcess>; gone: Promise<void> }> => {
    const child = spawn(programs.server, words, { stdio: 'ignore' });
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const ending = endWithProcess(child.pid ?? -1);
    await waitUntil('redis-server replies', () => doesReply(programs, port, child), READY_TIMEOUT_MS);
    child.unref();
    return { child, ending, gone };
  };
  let running = await launch();
  return {
    port,
    pause: () => void running.child.kill('SIGSTOP'),
    resume: () => void running.child.kill('SIGCONT'),
    kill: async () => {
      running.ending.release();
      running.child.ref();
      running.child.kill('SIGKILL');
      await running.gone;
    },
    start: async () => {
      running = await launch();
    },
  };
}

async function doesReply({ cli }: Programs, port: number, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`redis-server ended with code ${child.exitCode}`);
  const reply = await runProgram(cli, ['-p', String(port), 'ping']).catch(() => undefined);
  return reply?.stdout.trim() === 'PONG';
}
