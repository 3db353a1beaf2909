import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { usageManifest, type UsageEvent, type UsageManifest } from '@weir/contracts';
import { createDatabase, createFileExportStore, createUsageStore, createUsageUpkeep, type Database } from '@weir/database';
import { getPostgres, getS3, makeTestFolder, makeUsageEvent, sequenceEvents, type RealS3 } from '@weir/testing';
import { DAY_MS, HOUR_MS } from '@weir/usage';
import { createS3FileStore, type FileStore } from '@weir/usage-files';
import type { ExportParts } from '../export-parts';
import { exportDays } from '../start-usage-files';

/** Two in the morning: the day before is over and settled. */
export const NOW = Date.UTC(2026, 7, 10, 2);
export const DAY = Date.UTC(2026, 7, 9);
const BUCKET = 'usage';
const PREFIX = 'lake/weir';
const LEASE_MS = 60_000;

type Given = Partial<ExportParts> & { readonly days?: number; readonly organizations?: readonly string[] };

export type ExportBench = Awaited<ReturnType<typeof startExportBench>>;

/** A database, a bucket and DuckDB: usage is counted, exported and read again as others would. */
export async function startExportBench() {
  const postgres = await getPostgres();
  const s3 = await getS3();
  if (s3 === undefined) throw new Error('an S3 server was promised');
  const url = await postgres.createDatabase();
  const database = createDatabase({ url });
  const bucket = await openBucket(s3);
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  const files = createS3FileStore(bucket.options);
  const noted: { written: number; published: boolean[]; failed: number; waiting: number[][]; logged: string[] } = {
    ...{ written: 0, published: [], failed: 0, waiting: [], logged: [] },
  };
  const metrics = {
    written: () => void (noted.written += 1),
    published: (isFirst: boolean) => void noted.published.push(isFirst),
    failed: () => void (noted.failed += 1),
    waiting: (...seen: number[]) => void noted.waiting.push(seen),
  };
  const note = (_fields: object, message: string): void => void noted.logged.push(message);
  const partsOf = ({ days: _days, organizations: _organizations, ...given }: Given): ExportParts => ({
    ...{ database, files, exports: createFileExportStore(database.pool, { leaseMs: LEASE_MS }), leaseMs: LEASE_MS, eventDays: 45 },
    settings: { prefix: PREFIX, datasets: ['events', 'hours', 'days', 'keys', 'models', 'focus'], formats: ['parquet', 'csv'] },
    ...{ metrics, now: () => NOW, log: { info: note, warn: note }, stopping: new AbortController().signal },
    ...given,
  });
  return {
    ...{ url, database, bucket, files, noted, partsOf },
    createOrganization: async (): Promise<string> => (await database.prisma.organization.create({ data: { name: 'Example' } })).id,
    /** As they are counted in life, and the cubes of the days built that are over. */
    use: (organizationId: string, events: readonly Partial<UsageEvent>[]) => use(database, organizationId, events),
    settle: () => createUsageUpkeep({ pool: database.pool, now: () => NOW }).buildCubes(),
    /** Exports all that is due. */
    run: (given: Given = {}) => {
      const round = { settings: { days: given.days ?? 45, organizations: given.organizations ?? null }, startedMs: NOW - DAY_MS };
      return exportDays(partsOf(given), { pool: database.pool, ...round });
    },
    /** As if the process that has them had been gone for long. */
    endLeases: () => database.pool.query("UPDATE usage_file_export SET leased_until = now() - interval '1 second'"),
    rows: async (text: string, values: unknown[] = []) => (await database.pool.query<Record<string, unknown>>(text, values)).rows,
    readManifests: (organizationId: string) => readManifests(bucket, organizationId),
    /** What the usage interface says of the day, as it says it. */
    readSpend: async (organizationId: string): Promise<{ spend: string; total_requests: number; output_tokens: number }> => {
      const question = { organizationId, startMs: DAY, endMs: DAY + DAY_MS, resolution: 'day' as const, groupBy: [] };
      const { usage } = await createUsageStore({ pool: database.pool, now: () => NOW }).readUsage(question);
      return Object.values(usage)[0] ?? { spend: '0', total_requests: 0, output_tokens: 0 };
    },
    query: (sql: string) => query(duckdb, sql),
    /** Statement by statement. */
    queryAll: async (script: string) => {
      const found: Record<string, unknown>[][] = [];
      for (const sql of script.split(';').filter((text) => text.trim() !== '')) found.push(await query(duckdb, sql));
      return found;
    },
    stop: async () => {
      duckdb.closeSync();
      files.close();
      bucket.client.destroy();
      await database.close();
      await s3.stop();
      await postgres.stop();
    },
  };
}

type Bucket = Awaited<ReturnType<typeof openBucket>>;

async function openBucket({ url: endpoint, credentials }: RealS3) {
  const place = { region: 'us-east-1', endpoint, credentials };
  const client = new S3Client({ ...place, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  const folder = makeTestFolder('usage-files');
  const read = async (key: string): Promise<Buffer> => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: key }));
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  };
  return {
    client,
    /** What was fetched is in it, by its key. */
    folder,
    options: { bucket: BUCKET, ...place, isPathStyle: true, encryption: { kind: 'none', kmsKeyId: undefined } } as const,
    read,
    list: async (part = ''): Promise<string[]> => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
      return Contents.flatMap(({ Key = '' }) => (Key.includes(part) ? [Key] : [])).sort();
    },
    digest: async (key: string): Promise<string> =>
      createHash('sha256')
        .update(await read(key))
        .digest('hex'),
    /** Its path on this machine, as DuckDB reads it. */
    fetch: async (key: string): Promise<string> => {
      const path = join(folder, key);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, await read(key));
      return path;
    },
  };
}

async function use({ pool }: Database, organizationId: string, events: readonly Partial<UsageEvent>[]): Promise<void> {
  const store = createUsageStore({ pool, now: () => NOW });
  const made = events.map((event, at) => makeUsageEvent({ admitted_at: DAY + (at % 24) * HOUR_MS + at, org_id: organizationId, ...event }));
  const { applied } = await store.applyBatch(sequenceEvents(randomUUID(), made), null);
  if (applied !== events.length) throw new Error(`only ${applied} of ${events.length} events were counted`);
}

export type ReadManifest = { readonly key: string; readonly sha256: string; readonly manifest: UsageManifest };

async function readManifests({ list, read, digest }: Bucket, organizationId: string): Promise<ReadManifest[]> {
  const keys = (await list(organizationId)).filter((key) => key.includes('/manifests/'));
  const found = await Promise.all(
    keys.map(async (key) => ({ key, sha256: await digest(key), manifest: usageManifest.parse(JSON.parse(String(await read(key)))) })),
  );
  return found.sort((one, other) => one.manifest.revision - other.manifest.revision);
}

async function query(connection: DuckDBConnection, sql: string): Promise<Record<string, unknown>[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[];
}

/** A process that is gone says and does nothing any more. */
export class Killed extends Error {}

/**
 * The same parts, of a process that is killed before or after one of its steps outside of itself, counted from 0: from then on nothing of it
 * reaches the table or the bucket. `died` says whether it came to that.
 */
export function makeMortal(parts: ExportParts, lastStep: number): { readonly parts: ExportParts; died(): boolean } {
  let step = 0;
  let isDead = false;
  const live = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    if (step++ >= lastStep) isDead = true;
    if (isDead) throw new Killed();
    const result = await act();
    if (step++ >= lastStep) isDead = true;
    if (isDead) throw new Killed();
    return result;
  };
  const wrap = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, name) => {
        const act: unknown = Reflect.get(target, name);
        return typeof act === 'function'
          ? (...given: unknown[]) => live(() => (act as (...all: unknown[]) => Promise<unknown>)(...given))
          : act;
      },
    });
  return { parts: { ...parts, exports: wrap(parts.exports), files: wrap(parts.files) }, died: () => isDead };
}

/** The same store, which breaks an object off in the middle of its bytes. */
export function makeBreaking(files: FileStore, part: string): FileStore {
  return {
    ...files,
    put: (object, signal) =>
      object.key.includes(part) ? files.put({ ...object, chunks: breakOff(object.chunks) }, signal) : files.put(object, signal),
  };
}

async function* breakOff(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk.subarray(0, Math.ceil(chunk.length / 2));
    throw new Killed();
  }
}
