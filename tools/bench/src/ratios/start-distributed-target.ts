import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@weir/embedded-postgres';
import { createTopics, startKafka } from '@weir/kafka';
import { endWithProcess, getRedis, makeTestFolder } from '@weir/testing';
import type { DistributedHarness, startDistributed } from '@weir/gateway-e2e';
import type { Checkout } from './checkout';
import { createLimitedKey } from './limited-key';
import { type GatewaySettings, type Target } from './targets';

/** The operator's program asks for it, though a posting needs none. */
const PEPPER = { KEY_PEPPER: 'bench-pepper-0123456789-0123456789-0123456789' };

type Parts = Parameters<typeof startDistributed>[0];

/** The five services of a checkout, started by its own harness, so that each gets the settings that it knows. */
export async function startDistributedTarget(checkout: Checkout, settings: GatewaySettings): Promise<Target> {
  const directory = makeTestFolder('apart');
  const stops: (() => Promise<void>)[] = [() => rm(directory, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const parts = await startParts(directory, stops);
    const harness = await startServices(checkout, parts, settings);
    stops.push(() => harness.stop());
    const key = await createLimitedKey({
      folder: checkout.folder,
      url: harness.managementUrl,
      administratorKey: harness.apiKey,
      operatorEnv: { ...PEPPER, DATABASE_URL: parts.databaseUrl, REDIS_URL: parts.redisUrl, DATA_DIR: directory },
    });
    const { 'edge-router': edge, 'chat-translator': worker } = harness.services;
    const roots = [edge, worker].map(({ child }) => child.pid as number);
    return { name: checkout.name, port: Number(new URL(harness.url).port), key, roots, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The database is empty: the checkout brings the schema to what it knows. */
async function startParts(directory: string, stops: (() => Promise<void>)[]): Promise<Parts> {
  const redis = await getRedis();
  if (redis === undefined) throw new Error('no Redis can be had: put redis-server on the PATH');
  stops.push(() => redis.stop());
  const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres'), settings: {} });
  stops.push(endOf(postgres));
  const kafka = await startKafka({ directory: join(directory, 'kafka') });
  stops.push(endOf(kafka));
  await createTopics(kafka.brokers);
  return { databaseUrl: postgres.url, redisUrl: redis.url, brokers: kafka.brokers };
}

/** A measurement that is broken off leaves nothing behind. */
function endOf(part: { readonly pid: number; stop(): Promise<void> }): () => Promise<void> {
  const ending = endWithProcess(part.pid);
  return async () => {
    ending.release();
    await part.stop();
  };
}

function startServices({ folder }: Checkout, parts: Parts, { providerUrl, env }: GatewaySettings): Promise<DistributedHarness> {
  const load = createRequire(join(folder, 'package.json'));
  const theirs = load('@weir/gateway-e2e') as { readonly startDistributed: typeof startDistributed };
  const settings = {
    ...PEPPER,
    NODE_ENV: 'production',
    OPENAI_API_KEY: 'bench',
    OPENAI_BASE_URL: `${providerUrl}/v1`,
    ...env,
  };
  const flags = (service: string) => ({ NODE_OPTIONS: readFlags(folder, service) });
  return theirs.startDistributed(parts, settings, {
    'edge-router': flags('edge-router'),
    'chat-translator': flags('chat-translator'),
  });
}

/** What Kubernetes gives the engine by the checkout's chart, or by its manifests before there was one. */
function readFlags(folder: string, service: string): string {
  const chart = join(folder, 'k8s/chart/values.yaml');
  if (existsSync(chart)) return parseChartFlags(readFileSync(chart, 'utf8'), service);
  return parseManifestFlags(readFileSync(join(folder, 'k8s/base', `${service}.yaml`), 'utf8'));
}

export function parseChartFlags(values: string, service: string): string {
  const key = service.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return new RegExp(`^  ${key}:\\n(?:    .*\\n)*?    nodeOptions: (.*)$`, 'm').exec(values)?.[1] ?? '';
}

export function parseManifestFlags(manifest: string): string {
  return /NODE_OPTIONS,\s*value:\s*'([^']*)'/.exec(manifest)?.[1] ?? '';
}
