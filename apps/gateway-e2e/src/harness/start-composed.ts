import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from '@weir/testing';
import { interpolate, readCompose, type Compose } from './read-compose';
import { ROOT, runProcess, type RunningProcess } from './run-process';
import { startBalancer, type Balancer } from './start-balancer';
import { findFreePort } from './find-free-port';
import { PATIENT, readMetricsAddress, waitUntilReady, type RealParts } from './start-distributed';

export const COMPOSED_SERVICES = ['management-api', 'usage-aggregator', 'media-service', 'chat-translator', 'edge-router'] as const;
type ComposedService = (typeof COMPOSED_SERVICES)[number];

export type ComposedHarness = {
  readonly url: string;
  readonly managementUrl: string;
  readonly apiKey: string;
  /** Where `/metrics` of a service's first process is. */
  metricsAddressOf(service: ComposedService): string;
  /** Where the processes of a service listen. */
  portsOf(service: ComposedService): readonly number[];
  /** The processes of a service. */
  processesOf(service: ComposedService): readonly RunningProcess[];
  /** Stops one of a service's processes as a platform does, starts it again where it was, and waits until it gets requests. Returns its exit code. */
  restart(service: ComposedService, replica: number): Promise<number | null>;
  stop(): Promise<void>;
};

type ComposedOptions = {
  /** What `providers.env` would hold. */
  readonly providers?: Readonly<Record<string, string>>;
  /** What is set outside. */
  readonly more?: Readonly<Record<string, string>>;
  /** Processes of each service. */
  readonly replicas?: number;
};

const SECRETS = '/run/weir';

/**
 * Runs the services of `docker/compose.yaml` by their own commands and environments, as local processes: only where hosts,
 * ports and volumes are is different.
 */
export async function startComposed(parts: RealParts, options: ComposedOptions = {}): Promise<ComposedHarness> {
  const { providers = {}, more = {}, replicas = 1 } = options;
  const compose = readCompose();
  const folder = makeTestFolder('compose');
  const addresses = await openAddresses(replicas);
  const place = createPlaces(parts, addresses, folder);
  makeReady(compose, parts, place);

  const running = new Map<string, RunningProcess>();
  const start = async (service: ComposedService, replica: number): Promise<void> => {
    const name = `${service}-${replica}`;
    const [script = ''] = compose.services[service]?.command ?? [];
    const env = describeEnvironment(compose, service, (text) => place(text, name));
    const port = addresses.portsOf(service)[replica] as number;
    const started = runProcess(script, {
      ...providers,
      ...env,
      DRAIN_DELAY_MS: '0',
      ...PATIENT,
      HOST: '127.0.0.1',
      ...more,
      PORT: String(port),
      METRICS_PORT: '0',
    });
    running.set(name, started);
    await started.waitFor(new RegExp(`${service} listens`));
    await waitUntilReady(`http://127.0.0.1:${port}`, started);
  };
  for (const service of COMPOSED_SERVICES) await Promise.all(addresses.portsOf(service).map((_, replica) => start(service, replica)));
  await waitUntilReady(addresses.addressOf('edge-router'), running.get('edge-router-0') as RunningProcess);
  const processesOf = (service: ComposedService) =>
    addresses.portsOf(service).map((_, index) => running.get(`${service}-${index}`) as RunningProcess);
  return {
    url: addresses.addressOf('edge-router'),
    managementUrl: addresses.addressOf('management-api'),
    apiKey: readFileSync(join(place(SECRETS), 'bootstrap-api-key'), 'utf8'),
    metricsAddressOf: (service) => readMetricsAddress(processesOf(service)[0] as RunningProcess),
    portsOf: addresses.portsOf,
    processesOf,
    restart: async (service, replica) => {
      const code = await (processesOf(service)[replica] as RunningProcess).terminate();
      await start(service, replica);
      await addresses.waitFor(service, replica);
      return code;
    },
    stop: async () => {
      for (const service of [...COMPOSED_SERVICES].reverse()) await Promise.all(processesOf(service).map((process) => process.terminate()));
      await addresses.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Addresses = {
  /** Where the others find a service; behind a balancer where there are several of it. */
  addressOf(service: ComposedService): string;
  portsOf(service: ComposedService): readonly number[];
  /** Resolves when the balancer before a process, if there is one, sends to it. */
  waitFor(service: ComposedService, replica: number): Promise<void>;
  close(): Promise<void>;
};

async function openAddresses(replicas: number): Promise<Addresses> {
  const ports = new Map<string, number[]>();
  const balancers = new Map<string, Balancer>();
  for (const service of COMPOSED_SERVICES) {
    const own: number[] = [];
    while (own.length < replicas) own.push(await findFreePort());
    ports.set(service, own);
    if (replicas > 1) balancers.set(service, await startBalancer(own));
  }
  return {
    addressOf: (service) => `http://127.0.0.1:${balancers.get(service)?.port ?? ports.get(service)?.[0]}`,
    portsOf: (service) => ports.get(service) ?? [],
    waitFor: async (service, replica) => balancers.get(service)?.waitFor(ports.get(service)?.[replica] as number),
    close: async () => {
      for (const balancer of balancers.values()) await balancer.stop();
    },
  };
}

/** Where a text of the compose file is on this machine; volumes that are not shared are those of `owner`. */
type Place = (text: string, owner?: string) => string;

function createPlaces(parts: RealParts, addresses: Addresses, folder: string): Place {
  return (text, owner = 'once') => {
    let placed = interpolate(text).replace('redis://redis:6379', parts.redisUrl).replace('kafka:9092', parts.brokers);
    for (const service of COMPOSED_SERVICES) placed = placed.replace(new RegExp(`http://${service}:\\d+`), addresses.addressOf(service));
    return placed.replace(SECRETS, join(folder, 'secrets')).replace('/var/lib/weir', join(folder, owner));
  };
}

function describeEnvironment(compose: Compose, service: string, place: (text: string) => string): Record<string, string> {
  const environment = compose.services[service]?.environment ?? {};
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, place(value)]));
}

/** What compose runs once, before the services: secrets, schema, topics. */
function makeReady(compose: Compose, parts: RealParts, place: Place): void {
  const run = (service: string): void => {
    const [script = '', ...rest] = (compose.services[service]?.command ?? []).map((word) => place(word));
    const env = { PATH: process.env['PATH'], ...describeEnvironment(compose, service, place) };
    execFileSync(process.execPath, [join(ROOT, script), ...rest], { cwd: ROOT, env });
  };
  mkdirSync(place(SECRETS));
  run('secrets');
  const url = join(place(SECRETS), 'database-url');
  rmSync(url);
  writeFileSync(url, parts.databaseUrl);
  run('migrations');
  run('topics');
}
