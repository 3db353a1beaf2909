import { describeLockHolder, lockDirectory, makePrivateDirectory, type DirectoryLock } from '@weir/directory-lock';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chooseDirectory } from './choose-directory';
import {
  createDatabase,
  hasDatabase,
  initializeCluster,
  readPassword,
  SUPERUSER,
  type Cluster,
  type LockedCluster,
} from './initialize-cluster';
import { keepRunning } from './keep-running';
import { locateBinaries } from './locate-binaries';
import { speaksPostgres, isServerOf, readPostmasterFile, type Postmaster } from './postmaster-file';
import { findFreePort, startServer, type ServerSettings } from './start-server';
import { stopServer } from './stop-server';
import { findProgramUser, giveTo } from './unprivileged-user';

type EmbeddedPostgresOptions = {
  /** Where the data lives; made when it is not there. */
  readonly directory: string;
  /** 0 or absent: a free one. A server that is adopted keeps the port it has. */
  readonly port?: number;
  readonly databaseName?: string;
  /** Server settings beyond the defaults, such as `max_connections`. `fsync: 'off'` also hurries the making of the cluster. */
  readonly settings?: ServerSettings;
  readonly log?: (message: string) => void;
  /** Called whenever a program was started that takes a while: who has other work can do it meanwhile. */
  readonly onBegun?: () => void;
  /** How long to wait for a server that is still starting or ending on the same data. */
  readonly patienceMs?: number;
};

export type EmbeddedPostgres = {
  readonly url: string;
  readonly port: number;
  /** Of the server that runs now: one that dies is started again. */
  readonly pid: number;
  /** True when the server was running already: its parent was killed, or is another process that is still at work. */
  readonly wasAdopted: boolean;
  /** Stops the server; leaves it alone when it belongs to another process that is still at work. */
  stop(): Promise<void>;
  /** Leaves the server running and looks after it no more: it is the next process's that adopts it. */
  leave(): Promise<void>;
};

/** How long to try again while the children of a killed server are still ending. */
const START_DEADLINE_MS = 15_000;
const PAUSE_MS_MAX = 1_000;
/** Kept by the server and its children as long as one of them lives. */
const SERVER_LOCK = 'server.lock';
/** Kept by the process that will stop the server. */
const OWNER_LOCK = 'owner.lock';

/** Starts Postgres on 127.0.0.1, or adopts the one that still runs on the same data, and sees to it that the database is there. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const wanted: Wanted = { databaseName: options.databaseName ?? 'weir', port: options.port ?? 0, settings: options.settings ?? {} };
  const log = options.log ?? (() => undefined);
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(wanted.databaseName)) throw new Error(`"${wanted.databaseName}" is no usable database name.`);
  const onBegun = options.onBegun ?? (() => undefined);
  const cluster = await prepareCluster(options.directory, { isDurable: wanted.settings['fsync'] !== 'off', log, onBegun });
  const server = await startPatiently(cluster, wanted, log, options.patienceMs ?? START_DEADLINE_MS);
  if (server.wasAdopted) log(`adopted the Postgres that is already running (pid ${server.pid}, port ${server.port})`);
  return describeServer(cluster, wanted, server, log);
}

/** The next server on the same data may have to wait until the one before it has ended. */
async function startPatiently(cluster: Cluster, wanted: Wanted, log: Log, patienceMs: number): Promise<FoundServer> {
  const deadline = Date.now() + patienceMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await adoptOrStart(cluster, wanted);
    } catch (error) {
      const mayPass = isPassing(error) || (await isServerAlive(cluster.dataDirectory));
      if (!mayPass || Date.now() > deadline) throw error;
      log('Postgres could not start yet; the one before it is still ending. Trying again.');
      await pause(Math.min(PAUSE_MS_MAX, 100 * 2 ** attempt));
    }
  }
}

type Log = (message: string) => void;
type Wanted = { readonly databaseName: string; readonly port: number; readonly settings: ServerSettings };
/** `lock`: where the server itself does not keep it, this process does. */
type FoundServer = { readonly pid: number; readonly port: number; readonly wasAdopted: boolean; readonly lock?: DirectoryLock };

async function adoptOrStart(cluster: Cluster, wanted: Wanted): Promise<FoundServer> {
  const lock = lockDirectory(cluster.directory, SERVER_LOCK);
  try {
    const running = await findRunningServer(cluster.dataDirectory);
    // A server of before there was a lock, or one on Windows, where it cannot be passed on, runs without keeping it.
    if (running !== undefined && (await hasDatabase(cluster.dataDirectory, wanted.databaseName))) {
      return { ...running, wasAdopted: true, ...(lock === undefined ? {} : { lock }) };
    }
    if (running !== undefined) await stopServer(cluster, running.pid); // a database can only be added to a server at rest
    if (lock === undefined) throw new ClusterLockedError(cluster.directory);
    const started = await startAlone({ ...cluster, lockFd: lock.fd }, wanted);
    if (process.platform === 'win32') return { ...started, wasAdopted: false, lock };
    lock.release(); // the server has it now
    return { ...started, wasAdopted: false };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Nothing else works on the cluster now: a file that names a server is left over from one that was killed. */
async function startAlone(cluster: LockedCluster, { databaseName, port, settings }: Wanted): Promise<{ pid: number; port: number }> {
  await initializeCluster(cluster);
  await giveTo(cluster.dataDirectory, cluster.user);
  // Without a lock of its own the server that is named may be one of before there were locks, still on its way up or down.
  if (!(await isServerAlive(cluster.dataDirectory))) await rm(join(cluster.dataDirectory, 'postmaster.pid'), { force: true });
  if (!(await hasDatabase(cluster.dataDirectory, databaseName))) await createDatabase(cluster, databaseName);
  return startServer(cluster, { port: port === 0 ? await findFreePort() : port, settings });
}

/** Another process keeps the cluster's lock, and no server of it can be reached here. */
class ClusterLockedError extends Error {
  constructor(directory: string) {
    super(
      `another Postgres works on ${directory} (begun by ${describeLockHolder(directory, SERVER_LOCK)}), in another container or on ` +
        'another machine that shares the volume, or is still starting or ending. Two on the same data would destroy it: stop the other one.',
    );
  }
}

async function prepareCluster(
  wanted: string,
  { isDurable, log, onBegun }: { isDurable: boolean; log: (message: string) => void; onBegun: () => void },
): Promise<Cluster> {
  const user = findProgramUser();
  const binaries = await locateBinaries(user);
  const directory = await chooseDirectory(resolve(wanted), user, log);
  makePrivateDirectory(directory, { isPassable: user !== undefined });
  return { binaries, user, directory, dataDirectory: join(directory, 'data'), isDurable, onBegun };
}

async function findRunningServer(dataDirectory: string): Promise<Postmaster | undefined> {
  const found = await readPostmasterFile(dataDirectory);
  if (found === undefined || !found.isReady || !(await isServerOf(dataDirectory, found.pid))) return undefined;
  return (await speaksPostgres(found.port)) ? found : undefined;
}

/** Of two that start at once the loser's words may be lost in the winner's log: that a server runs, ready or not, says as much. */
async function isServerAlive(dataDirectory: string): Promise<boolean> {
  const found = await readPostmasterFile(dataDirectory);
  return found !== undefined && (await isServerOf(dataDirectory, found.pid));
}

async function describeServer(cluster: Cluster, wanted: Wanted, server: FoundServer, log: Log): Promise<EmbeddedPostgres> {
  const password = await readPassword(cluster.dataDirectory);
  const owned = lockDirectory(cluster.directory, OWNER_LOCK);
  // One that merely found it running must not stop it while its owner is at work.
  const isSomebodyElses = server.wasAdopted && owned === undefined;
  const { port, wasAdopted, lock } = server;
  let { pid } = server;
  const keeper = keepRunning({
    readPid: () => pid,
    isPatient: isSomebodyElses,
    startAgain: async () => {
      pid = (await adoptOrStart(cluster, { ...wanted, port })).pid;
    },
    log,
  });
  const release = (): void => {
    owned?.release();
    lock?.release();
  };
  return {
    url: `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${wanted.databaseName}`,
    port,
    wasAdopted,
    get pid() {
      return pid;
    },
    stop: async () => {
      await keeper.stop();
      if (!isSomebodyElses) await stopServer(cluster, pid);
      release();
    },
    leave: async () => {
      await keeper.stop();
      release();
    },
  };
}

/**
 * Failures that end by themselves: a server on its way down, or up, on the same data; a port taken in the meantime; one
 * that left no words, because another began the log anew.
 */
function isPassing(error: unknown): boolean {
  return (
    error instanceof ClusterLockedError ||
    (error instanceof Error && /postmaster\.pid|shared memory|in use|not ready in time|log says: $/i.test(error.message))
  );
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, milliseconds));
}
