import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import { describeBroker, NODE_ID, type SecuredListener } from './describe-broker';
import { fetchKafka, isKafkaCached, KAFKA_VERSION } from './fetch-kafka';
import { findFreePort } from './find-free-port';

type StartKafkaOptions = {
  /** Where the broker keeps its data. Started again with the same folder and port, it goes on where it stopped. */
  readonly directory: string;
  readonly port?: number;
  /** The address that clients connect to, when a proxy stands in between. The broker's own unless given. */
  readonly advertisedPort?: number;
  /** A second listener that asks for TLS and a login, by PLAIN, SCRAM or OAUTHBEARER. */
  readonly secured?: SecuredListener;
  readonly version?: string;
  readonly log?: (message: string) => void;
};

export type RunningKafka = {
  readonly brokers: string;
  /** The address of the second listener, where there is one. */
  readonly securedBrokers: string | undefined;
  readonly port: number;
  readonly pid: number;
  /** Ends the broker in order, within 20 s or by force. */
  stop(): Promise<void>;
  /** kill -9. Resolves when the process is gone. */
  kill(): Promise<void>;
};

const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 20_000;
/** One small broker that starts fast: the serial collector and the first compiler tier cost least on few cores. */
const JVM_FLAGS = ['-Xmx512m', '-Xms64m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Djava.awt.headless=true'];

/** Starts a real broker on 127.0.0.1 and resolves once it serves requests. Fetches it first when it is not cached. */
export async function startKafka(options: StartKafkaOptions): Promise<RunningKafka> {
  const version = options.version ?? KAFKA_VERSION;
  const jars = await fetchKafka(version);
  const port = options.port ?? (await findFreePort());
  const classPath = join(jars, '*');
  const secured = options.secured === undefined ? undefined : { ...options.secured, port: await findFreePort() };
  const settingsPath = await prepareFolder(options.directory, {
    ...{ port, advertisedPort: options.advertisedPort ?? port },
    ...(secured === undefined ? {} : { secured }),
  });
  await formatStorage(options.directory);
  const child = await spawnBroker(options.directory, classPath, settingsPath);
  const running = { ...describeRunning(child, port), securedBrokers: secured && `127.0.0.1:${secured.port}` };
  options.log?.(`kafka ${version} (process ${running.pid}) is starting on ${running.brokers}`);
  await waitUntilServing(running, child);
  if (options.secured !== undefined) await addScramUser(running.brokers, classPath, options.secured);
  return running;
}

/** True when this machine has what the broker needs: java, and Maven unless the broker was fetched before. */
export function canRunKafka(version = KAFKA_VERSION): boolean {
  const runs = (program: string, flag: string): boolean => spawnSync(program, [flag]).status === 0;
  return runs('java', '-version') && (isKafkaCached(version) || runs('mvn', '-v'));
}

/** Only a broker that runs takes these, by Kafka's own command: the client has none for it. */
async function addScramUser(brokers: string, classPath: string, { username, password }: SecuredListener): Promise<void> {
  const entity = ['--entity-type', 'users', '--entity-name', username];
  for (const mechanism of ['SCRAM-SHA-256', 'SCRAM-SHA-512']) {
    await promisify(execFile)('java', [
      ...[...JVM_FLAGS, '-cp', classPath, 'kafka.admin.ConfigCommand', '--bootstrap-server', brokers],
      ...['--alter', ...entity, '--add-config', `${mechanism}=[password=${password}]`],
    ]);
  }
}

type Listening = Pick<Parameters<typeof describeBroker>[0], 'port' | 'advertisedPort' | 'secured'>;

async function prepareFolder(directory: string, ports: Listening): Promise<string> {
  const logDirectory = join(directory, 'data');
  await mkdir(logDirectory, { recursive: true });
  const path = join(directory, 'server.properties');
  await writeFile(path, describeBroker({ logDirectory, ...ports, controllerPort: await findFreePort() }));
  return path;
}

/**
 * Which node of which cluster the folder is of: all that Kafka's own command for formatting has to say of one node, without a
 * JVM of its own. The broker adds what is missing, with the newest metadata it knows, as the command would.
 */
async function formatStorage(directory: string): Promise<void> {
  const path = join(directory, 'data', 'meta.properties');
  if (existsSync(path)) return;
  await writeFile(path, `version=1\nnode.id=${NODE_ID}\ncluster.id=${randomBytes(16).toString('base64url')}\n`);
}

async function spawnBroker(directory: string, classPath: string, settingsPath: string): Promise<ChildProcess> {
  const output = await open(join(directory, 'broker.log'), 'a');
  try {
    return spawn('java', [...JVM_FLAGS, '-cp', classPath, 'kafka.Kafka', settingsPath], { stdio: ['ignore', output.fd, output.fd] });
  } finally {
    await output.close();
  }
}

function describeRunning(child: ChildProcess, port: number): Omit<RunningKafka, 'securedBrokers'> {
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // A broker must not outlive the process that started it, whichever way that ends in order.
  const killWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  void gone.then(() => process.removeListener('exit', killWithUs));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(force);
  };
  return { brokers: `127.0.0.1:${port}`, port, pid: child.pid ?? -1, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

async function waitUntilServing(running: RunningKafka, child: ChildProcess): Promise<void> {
  const admin = new Kafka({
    clientId: 'weir-start-kafka',
    brokers: [running.brokers],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
    connectionTimeout: 1_000,
  }).admin();
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the broker ended with code ${child.exitCode}; see broker.log in its folder`);
    try {
      await admin.connect();
      const cluster = await admin.describeCluster();
      if (cluster.controller !== null) break;
    } catch (error) {
      if (Date.now() > giveUpAt) {
        await running.kill();
        throw new Error(`the broker did not serve within ${START_TIMEOUT_MS} ms`, { cause: error });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await admin.disconnect();
}
