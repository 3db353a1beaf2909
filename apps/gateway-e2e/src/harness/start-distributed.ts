import { makeTestFolder } from '@weir/testing';
import { findFreePort } from './find-free-port';
import { runProcess, type RunningProcess } from './run-process';

export type RealParts = { readonly databaseUrl: string; readonly redisUrl: string; readonly brokers: string };

const SERVICES = ['management-api', 'usage-aggregator', 'media-service', 'chat-translator', 'edge-router'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** A machine that is busy with tests is slow; counters that take long are not away. */
export const PATIENT = { LIMITS_TIMEOUT_MS: '2000' };

export type DistributedHarness = {
  readonly url: string;
  readonly managementUrl: string;
  readonly apiKey: string;
  readonly services: Readonly<Record<ServiceName, RunningProcess>>;
  /** Where `/metrics` of a service is, as long as it runs. */
  metricsAddressOf(service: ServiceName): string;
  /** Starts a service again with the settings it had, and those given: same port, same journal. */
  restart(service: ServiceName, more?: Record<string, string>): Promise<void>;
  /** Starts one more of a service beside the one there is; the test that started it ends it. */
  startAnother(service: ServiceName, more?: Record<string, string>): Promise<RunningProcess>;
  stop(): Promise<void>;
};

/** Starts one real process per service against real parts. `overrides` are settings of single services. */
export async function startDistributed(
  parts: RealParts,
  env: Record<string, string> = {},
  overrides: Partial<Record<ServiceName, Record<string, string>>> = {},
): Promise<DistributedHarness> {
  const apiKey = 'e2e-administrator-key-0123456789';
  const ports = Object.fromEntries(await Promise.all(SERVICES.map(async (service) => [service, await findFreePort()] as const))) as Record<
    ServiceName,
    number
  >;
  const address = (service: ServiceName): string => `http://127.0.0.1:${ports[service]}`;
  const settings = describeSettings(parts, { apiKey, address });
  const services = {} as Record<ServiceName, RunningProcess>;

  const run = (service: ServiceName, more: Record<string, string>): RunningProcess =>
    runProcess(`apps/${service}/dist/main.js`, {
      PORT: String(ports[service]),
      METRICS_PORT: '0',
      DRAIN_TIMEOUT_MS: '3000',
      ...settings[service],
      ...env,
      ...overrides[service],
      ...more,
    });
  const start = async (service: ServiceName, more: Record<string, string> = {}): Promise<void> => {
    const process = run(service, more);
    services[service] = process;
    await process.waitFor(new RegExp(`${service} listens`));
    await waitUntilReady(address(service), process);
  };

  // The schema is brought up to date by the first; the others wait for no one.
  const [first, ...others] = SERVICES;
  await start(first);
  await Promise.all(others.map((service) => start(service)));
  return {
    url: address('edge-router'),
    managementUrl: address('management-api'),
    apiKey,
    services,
    metricsAddressOf: (service) => readMetricsAddress(services[service]),
    restart: start,
    startAnother: async (service, more = {}) => {
      const process = run(service, { PORT: String(await findFreePort()), ...more });
      await process.waitFor(new RegExp(`${service} listens`));
      return process;
    },
    stop: async () => {
      for (const service of [...SERVICES].reverse()) if (services[service].child.exitCode === null) await services[service].terminate();
    },
  };
}

function describeSettings(
  parts: RealParts,
  { apiKey, address }: { apiKey: string; address: (service: ServiceName) => string },
): Record<ServiceName, Record<string, string>> {
  const pepper = { KEY_PEPPER: 'e2e-pepper-0123456789-0123456789-0123456789' };
  const passport = { PASSPORT_SECRET: 'e2e-passport-secret-0123456789-0123456789' };
  const sealing = { SEALING_KEY: 'e2e-sealing-key-0123456789-0123456789' };
  const postgres = { DATABASE_URL: parts.databaseUrl };
  const redis = { REDIS_URL: parts.redisUrl };
  const kafka = { KAFKA_BROKERS: parts.brokers };
  return {
    'management-api': {
      ...pepper,
      ...postgres,
      ...redis,
      ...sealing,
      ...passport,
      CHAT_TRANSLATOR_URL: address('chat-translator'),
      CONSOLE_GATEWAY_URL: address('edge-router'),
      BOOTSTRAP_API_KEY: apiKey,
    },
    'usage-aggregator': { ...postgres, ...redis, ...kafka },
    'media-service': {
      ...passport,
      ...redis,
      ...kafka,
      JOURNAL_DIR: makeTestFolder('media-journal'),
      BLOB_DIR: makeTestFolder('blobs'),
    },
    'chat-translator': { ...passport, ...redis, ...kafka, JOURNAL_DIR: makeTestFolder('journal') },
    'edge-router': {
      ...pepper,
      ...sealing,
      ...passport,
      ...postgres,
      ...redis,
      CHAT_TRANSLATOR_URL: address('chat-translator'),
      MEDIA_SERVICE_URL: address('media-service'),
      ...PATIENT,
    },
  };
}

/** Where a service that listens serves its metrics, as it says. */
export function readMetricsAddress(process: RunningProcess): string {
  const [, port] = /"metricsPort":(\d+)/.exec(process.output()) ?? [];
  if (port === undefined) throw new Error(`the process printed no port of metrics:\n${process.output()}`);
  return `http://127.0.0.1:${port}`;
}

/** Waits for a service that was just started; rejects when it ends first. */
export async function waitUntilReady(url: string, process: RunningProcess): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const status = await fetch(`${url}/readyz`).then(
      (reply) => reply.status,
      () => 0,
    );
    if (status === 200) return;
    const { exitCode, signalCode } = process.child;
    if (exitCode !== null || signalCode !== null) throw new Error(`${url} ended before it was ready:\n${process.output()}`);
    if (Date.now() > deadline) throw new Error(`${url} was not ready after 30 s:\n${process.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
