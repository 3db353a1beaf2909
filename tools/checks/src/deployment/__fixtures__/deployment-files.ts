import { chatTranslatorEnv } from '@weir/chat-translator';
import { loadEnv } from '@weir/config';
import { edgeRouterEnv } from '@weir/edge-router';
import { managementApiEnv, migrateEnv } from '@weir/management-api';
import { mediaServiceEnv } from '@weir/media-service';
import { usageAggregatorEnv } from '@weir/usage-aggregator';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { z } from 'zod';

export const ROOT = join(__dirname, '..', '..', '..', '..', '..');

export const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

/** Whose environment is whose: the schema that the process itself parses its settings with. */
export const ENV_SCHEMAS: Readonly<Record<string, z.ZodObject>> = {
  'edge-router': edgeRouterEnv,
  'chat-translator': chatTranslatorEnv,
  'media-service': mediaServiceEnv,
  'management-api': managementApiEnv,
  'usage-aggregator': usageAggregatorEnv,
  migrations: migrateEnv,
};
export const SERVICES = Object.keys(ENV_SCHEMAS).filter((name) => name !== 'migrations');

/** Not settings of ours: node's own. */
const FOREIGN = new Set(['NODE_OPTIONS', 'TZ', 'HTTPS_PROXY']);
/** Where secrets and files are mounted. */
const isMounted = (path: string): boolean => /^\/(run|etc)\/weir\//.test(path);

/** What is wrong with an environment, by the app's own schema: values, settings that are missing, and such as no one reads. */
export function checkEnvironment(service: string, environment: Readonly<Record<string, string>>): string[] {
  const schema = ENV_SCHEMAS[service] as z.ZodObject;
  const folder = mkdtempSync(join(tmpdir(), 'weir-secrets-'));
  const problems: string[] = [];
  const source: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const setting = name.replace(/_FILE$/, '');
    if (!(name in schema.shape || setting in schema.shape || FOREIGN.has(name))) problems.push(`${name} is read by no one`);
    source[name] = isMounted(value) ? keepMounted(folder, basename(value)) : value;
  }
  try {
    loadEnv(schema, source);
  } catch (error) {
    problems.push((error as Error).message);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return problems;
}

const ADDRESSES: Readonly<Record<string, string>> = {
  'database-url': 'postgres://weir:secret@postgres:5432/weir',
  'redis-url': 'redis://:secret@redis:6379',
};

function keepMounted(folder: string, name: string): string {
  const path = join(folder, name);
  writeFileSync(path, ADDRESSES[name] ?? (name.endsWith('.json') ? '[]' : 'x'.repeat(43)));
  return path;
}

export type Container = {
  name: string;
  image: string;
  args: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } } }[];
  envFrom?: { configMapRef?: { name: string } }[];
  securityContext: object;
  resources: { requests?: Record<string, string>; limits?: Record<string, string> };
  volumeMounts: { name: string; mountPath: string }[];
  ports: { name: string; containerPort: number }[];
  startupProbe?: { httpGet: { path: string; port: string } };
  livenessProbe?: { httpGet: { path: string; port: string } };
  readinessProbe?: { httpGet: { path: string; port: string } };
  lifecycle?: { preStop: { sleep: { seconds: number } } };
};

export type PodSpec = {
  containers: Container[];
  securityContext: object;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  topologySpreadConstraints: { topologyKey: string }[];
  volumes: {
    name: string;
    configMap?: { name: string };
    secret?: { secretName: string; items?: { key: string }[] };
    projected?: { sources: { secret: { name: string; items: { key: string; path: string }[] } }[] };
  }[];
};

export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string>; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec: Record<string, unknown> & {
    template?: { metadata: { annotations: Record<string, string> }; spec: PodSpec };
    selector?: { matchLabels?: Record<string, string> };
  };
};
