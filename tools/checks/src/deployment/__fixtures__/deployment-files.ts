import { chatTranslatorEnv } from '@weir/chat-translator';
import { loadEnv } from '@weir/config';
import { edgeRouterEnv } from '@weir/edge-router';
import { managementApiEnv, migrateEnv } from '@weir/management-api';
import { mediaServiceEnv } from '@weir/media-service';
import { usageAggregatorEnv } from '@weir/usage-aggregator';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
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
const FOREIGN = new Set(['NODE_OPTIONS']);
const SECRETS = '/run/weir/';

/** What is wrong with an environment, by the app's own schema: values, settings that are missing, and such as no one reads. */
export function checkEnvironment(service: string, environment: Readonly<Record<string, string>>): string[] {
  const schema = ENV_SCHEMAS[service] as z.ZodObject;
  const folder = mkdtempSync(join(tmpdir(), 'weir-secrets-'));
  const problems: string[] = [];
  const source: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const setting = name.replace(/_FILE$/, '');
    if (!(setting in schema.shape) && !FOREIGN.has(name)) problems.push(`${name} is read by no one`);
    source[name] = value.startsWith(SECRETS) ? keepSecret(folder, value.slice(SECRETS.length)) : value;
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

function keepSecret(folder: string, name: string): string {
  const path = join(folder, name);
  writeFileSync(path, name === 'database-url' ? 'postgres://weir:secret@postgres:5432/weir' : 'x'.repeat(43));
  return path;
}

function parseSettings(text: string): Record<string, string> {
  return Object.fromEntries(text.split('\n').flatMap((line) => (/^\w+=/.test(line) ? [line.split(/=(.*)/s, 2) as [string, string]] : [])));
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

type PodSpec = {
  containers: Container[];
  securityContext: object;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  topologySpreadConstraints: { topologyKey: string }[];
  volumes: { name: string; secret?: { secretName: string; items?: { key: string }[] } }[];
};

export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string>; labels?: Record<string, string> };
  spec: Record<string, unknown> & { template?: { spec: PodSpec }; selector?: { matchLabels?: Record<string, string> } };
};

/** Every object of the base, as its files say it. */
export function readManifests(): Manifest[] {
  const folder = join(ROOT, 'k8s', 'base');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .flatMap((name) => parseAllDocuments(read('k8s', 'base', name)).map((document) => document.toJS() as Manifest));
}

/** Settings of a service: of the base, overridden by those of one overlay. */
export function readSettings(service: string, overlay?: string): Record<string, string> {
  const more = overlay === undefined ? undefined : join('k8s', 'overlays', overlay, `${service}.env`);
  return {
    ...parseSettings(read('k8s', 'base', 'config', `${service}.env`)),
    ...(more !== undefined && existsSync(join(ROOT, more)) ? parseSettings(read(more)) : {}),
  };
}
