import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chooseDirectory } from './choose-directory';
import { createDatabase, hasDatabase, initializeCluster, readPassword, SUPERUSER, type Cluster } from './initialize-cluster';
import { locateBinaries } from './locate-binaries';
import { readOwner, writeOwner } from './owner-file';
import { answersPostgres, isPostgresProcess, readPostmasterFile, type Postmaster } from './postmaster-file';
import { findFreePort, startServer, type ServerSettings } from './start-server';
import { stopServer } from './stop-server';
import { findProgramUser, giveTo } from './unprivileged-user';

export type EmbeddedPostgresOptions = {
  /** Where the data lives; made when it is not there. */
  readonly directory: string;
  /** 0 or absent: a free one. A server that is adopted keeps the port it has. */
  readonly port?: number;
  readonly databaseName?: string;
  /** Server settings beyond the defaults, such as `max_connections`. `fsync: 'off'` also hurries the making of the cluster. */
  readonly settings?: ServerSettings;
  readonly log?: (message: string) => void;
};

export type EmbeddedPostgres = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** True when the server was running already: its parent was killed, or is another process that is still at work. */
  readonly wasAdopted: boolean;
  /** Stops the server; leaves it alone when it belongs to another process that is still at work. */
  stop(): Promise<void>;
};

/** How long to try again while the children of a killed server are still ending. */
const START_DEADLINE_MS = 15_000;
const PAUSE_MS_MAX = 1_000;

/** Starts Postgres on 127.0.0.1, or adopts the one that still runs on the same data, and sees to it that the database is there. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const wanted: Wanted = { databaseName: options.databaseName ?? 'weir', port: options.port ?? 0, settings: options.settings ?? {} };
  const log = options.log ?? (() => undefined);
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(wanted.databaseName)) throw new Error(`"${wanted.databaseName}" is no usable database name.`);
  const cluster = await prepareCluster(options.directory, { isDurable: wanted.settings['fsync'] !== 'off', log });
  const deadline = Date.now() + START_DEADLINE_MS;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const server = await adoptOrStart(cluster, wanted);
      if (server.wasAdopted) log(`adopted the Postgres that is already running (pid ${server.pid}, port ${server.port})`);
      return await describeServer(cluster, wanted.databaseName, server);
    } catch (error) {
      const mayPass = isPassing(error) || (await isServerAlive(cluster.dataDirectory));
      if (!mayPass || Date.now() > deadline) throw error;
      log('Postgres could not start yet; the one before it is still ending. Trying again.');
      await pause(Math.min(PAUSE_MS_MAX, 100 * 2 ** attempt));
    }
  }
}

type Wanted = { readonly databaseName: string; readonly port: number; readonly settings: ServerSettings };
type FoundServer = { readonly pid: number; readonly port: number; readonly wasAdopted: boolean };

async function adoptOrStart(cluster: Cluster, { databaseName, port, settings }: Wanted): Promise<FoundServer> {
  const { dataDirectory } = cluster;
  const isThere = await hasDatabase(dataDirectory, databaseName);
  const running = await findRunningServer(dataDirectory);
  if (running !== undefined && isThere) return { ...running, wasAdopted: true };
  if (running !== undefined) await stopServer(cluster, running.pid); // a database can only be added to a server at rest
  if (!isThere) await createDatabase(cluster, databaseName);
  const started = await startServer(cluster, { port: port === 0 ? await findFreePort() : port, settings });
  await writeOwner(cluster);
  return { ...started, wasAdopted: false };
}

async function prepareCluster(
  wanted: string,
  { isDurable, log }: { isDurable: boolean; log: (message: string) => void },
): Promise<Cluster> {
  const user = findProgramUser();
  const binaries = await locateBinaries(user);
  const directory = await chooseDirectory(resolve(wanted), user, log);
  await mkdir(directory, { recursive: true });
  const cluster: Cluster = { binaries, user, directory, dataDirectory: join(directory, 'data'), isDurable };
  await initializeCluster(cluster);
  await giveTo(cluster.dataDirectory, user);
  return cluster;
}

async function findRunningServer(dataDirectory: string): Promise<Postmaster | undefined> {
  const found = await readPostmasterFile(dataDirectory);
  if (found === undefined) return undefined;
  if (!(await isPostgresProcess(found.pid))) {
    // Left by a killed server. Were its id in use by some other program by now, Postgres would refuse to start.
    await rm(join(dataDirectory, 'postmaster.pid'), { force: true });
    return undefined;
  }
  if (!found.isReady) return undefined;
  return (await answersPostgres(found.port)) ? found : undefined;
}

/** Of two that start at once the loser's words may be lost in the winner's log: that a server runs, ready or not, says as much. */
async function isServerAlive(dataDirectory: string): Promise<boolean> {
  const found = await readPostmasterFile(dataDirectory);
  return found !== undefined && (await isPostgresProcess(found.pid));
}

async function describeServer(
  cluster: Cluster,
  databaseName: string,
  server: { pid: number; port: number; wasAdopted: boolean },
): Promise<EmbeddedPostgres> {
  const password = await readPassword(cluster.dataDirectory);
  const isSomebodyElses = server.wasAdopted && (await readOwner(cluster)) !== undefined;
  if (server.wasAdopted && !isSomebodyElses) await writeOwner(cluster);
  return {
    url: `postgresql://${SUPERUSER}:${password}@127.0.0.1:${server.port}/${databaseName}`,
    port: server.port,
    pid: server.pid,
    wasAdopted: server.wasAdopted,
    stop: async () => {
      if (!isSomebodyElses) await stopServer(cluster, server.pid);
    },
  };
}

/**
 * Failures that end by themselves: a server on its way down, or up, on the same data; a port taken in the meantime; one
 * that left no words, because another began the log anew.
 */
function isPassing(error: unknown): boolean {
  return error instanceof Error && /postmaster\.pid|shared memory|in use|not ready in time|log says: $/i.test(error.message);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, milliseconds));
}
