import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createFileExportStore } from '@weir/database';
import { describeWithRealParts, waitUntil } from '@weir/testing';
import type { FileStore } from '@weir/usage-files';
import { DAY, NOW, makeBreaking, makeMortal, startExportBench, type ExportBench } from './__fixtures__/export-bench';
import { exportDay } from './export-day';
import type { ExportParts } from './export-parts';

const SETTINGS = { prefix: 'lake', datasets: ['events', 'days'], formats: ['parquet', 'csv'] } as const;
/** Claim, adopt, four files put and noted, seal, put the manifest, publish; each may be the last thing before death, or just not happen. */
const STEPS = 2 * (2 + 2 * 4 + 3);

describeWithRealParts(['s3'], 'exports of usage whose process is killed', () => {
  let bench: ExportBench;
  beforeAll(async () => {
    bench = await startExportBench();
  }, 240_000);
  afterAll(() => bench.stop());

  const USED = Array.from({ length: 3 }, (_, at) => ({ cost_p: String(10n ** 20n + BigInt(at)), billed_p: '1' }));

  /** Organizations with a day that is settled. */
  const beginMany = async (count: number, events = 0): Promise<string[]> => {
    const organizations: string[] = [];
    for (let made = 0; made < count; made += 1) {
      const organizationId = await bench.createOrganization();
      await bench.use(organizationId, [
        ...USED,
        ...Array.from({ length: events }, (_, at) => ({ origin_title: `title ${at}`, cost_p: '3', billed_p: '3' })),
      ]);
      organizations.push(organizationId);
    }
    await bench.settle();
    return organizations;
  };
  const begin = async (): Promise<string> => (await beginMany(1))[0] ?? '';
  const partsOf = (more: Partial<ExportParts> = {}): ExportParts => bench.partsOf({ settings: SETTINGS, ...more });
  const runAgain = async (...organizations: string[]): Promise<void> => {
    await bench.endLeases();
    await bench.run({ settings: SETTINGS, organizations });
  };

  /** Every revision has one manifest; what the manifests name is there as they say, and nothing else is. */
  const expectWhole = async (organizationId: string, revisions: number): Promise<void> => {
    const manifests = await bench.readManifests(organizationId);
    expect(manifests.map(({ manifest }) => manifest.revision)).toEqual(Array.from({ length: revisions }, (_, at) => at + 1));
    for (const [at, { manifest }] of manifests.entries()) {
      const before = manifests[at - 1];
      expect(manifest.supersedes).toEqual(before === undefined ? null : { revision: at, manifest: before.key, sha256: before.sha256 });
      expect(manifest.files).toHaveLength(4);
      for (const { key, sha256 } of manifest.files) expect([key, await bench.bucket.digest(key)]).toEqual([key, sha256]);
    }
    const named = manifests.flatMap(({ key, manifest }) => [key, ...manifest.files.map((file) => file.key)]);
    expect(await bench.bucket.list(organizationId)).toEqual(named.sort());
    expect(manifests.at(-1)?.manifest.totals.spend_usd).toBe((await bench.readSpend(organizationId)).spend);
    const rows = await bench.rows('SELECT state FROM usage_file_export WHERE org_id = $1', [organizationId]);
    expect(rows).toEqual(Array.from({ length: revisions }, () => ({ state: 'published' })));
  };

  it('are finished by the next run wherever it was, with the bytes that were there, once', async () => {
    const organizations = await beginMany(STEPS + 1);
    for (const [step, organizationId] of organizations.slice(0, STEPS).entries()) {
      const { parts, died } = makeMortal(partsOf(), step);
      const outcome = await exportDay(parts, { organizationId, dayMs: DAY }).catch(() => 'failed');
      expect([step, outcome, died()]).toEqual([step, 'failed', true]);
      const before = await readBytes(organizationId);

      await runAgain(organizationId);

      await expectWhole(organizationId, 1);
      const after = await readBytes(organizationId);
      for (const [key, digest] of before) expect([step, key, after.get(key)]).toEqual([step, key, digest]);
      await runAgain(organizationId);
      expect(await readBytes(organizationId)).toEqual(after);
    }
    const { parts, died } = makeMortal(partsOf(), STEPS);
    expect([await exportDay(parts, { organizationId: organizations.at(-1) ?? '', dayMs: DAY }), died()]).toEqual(['published', false]); // there are no more steps
  }, 240_000);

  async function readBytes(organizationId: string): Promise<Map<string, string>> {
    const keys = await bench.bucket.list(organizationId);
    return new Map(await Promise.all(keys.map(async (key) => [key, await bench.bucket.digest(key)] as const)));
  }

  it('by the operating system, at whatever moment, are finished as well: the built code with its settings, killed five times', async () => {
    const [organizationId = ''] = await beginMany(1, 1_500);
    const state = async (): Promise<unknown> =>
      (await bench.rows('SELECT state FROM usage_file_export WHERE org_id = $1', [organizationId]))[0]?.['state'];
    for (const afterMs of [50, 200, 400, 700, 1_100]) {
      const child = startProcess(organizationId);
      await once(child.stdout, 'data');
      await new Promise((resume) => setTimeout(resume, afterMs));
      child.kill('SIGKILL');
      await once(child, 'exit');
      await bench.endLeases();
    }
    const child = startProcess(organizationId);
    await waitUntil('a manifest', async () => (await state()) === 'published', 60_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expectWhole(organizationId, 1);
  }, 240_000);

  function startProcess(organizationId: string) {
    const { bucket, endpoint, credentials } = bench.bucket.options;
    const env = {
      ...{ PATH: process.env['PATH'], DATABASE_URL: bench.url, USAGE_FILES_BUCKET: bucket, USAGE_FILES_ENDPOINT: endpoint },
      ...{ USAGE_FILES_PREFIX: 'lake', USAGE_FILES_PATH_STYLE: 'true', USAGE_FILES_ORGANIZATIONS: organizationId },
      ...{ USAGE_FILES_ACCESS_KEY_ID: credentials.accessKeyId, USAGE_FILES_SECRET_ACCESS_KEY: credentials.secretAccessKey },
      ...{ USAGE_FILES_DATASETS: 'events,days', USAGE_FILES_FORMATS: 'parquet,csv' },
    };
    return spawn(process.execPath, [join(__dirname, '__fixtures__', 'export-process.mjs'), String(NOW)], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  it('and whose day changed meanwhile are of what it is by now, or the change is the next revision: never a mixture', async () => {
    const organizations = await beginMany(9);
    const revisions: number[] = [];
    for (const [at, organizationId] of organizations.entries()) {
      await exportDay(makeMortal(partsOf(), 1 + 3 * at).parts, { organizationId, dayMs: DAY }).catch(() => 'failed');
      const [sealed] = await bench.rows("SELECT count(*)::int AS n FROM usage_file_export WHERE org_id = $1 AND state <> 'writing'", [
        organizationId,
      ]);
      revisions.push(1 + Number(sealed?.['n']));
      await bench.use(organizationId, [{ cost_p: '1000000007', billed_p: '1' }]);
    }
    await bench.settle();

    await runAgain(...organizations);

    for (const [at, organizationId] of organizations.entries()) await expectWhole(organizationId, revisions[at] ?? 0);
    expect(new Set(revisions)).toEqual(new Set([1, 2]));
  }, 240_000);

  it('in the middle of a file leave nothing of it', async () => {
    const organizationId = await begin();
    const files = makeBreaking(bench.files, '/days/csv/');
    const outcome = await exportDay(partsOf({ files }), { organizationId, dayMs: DAY });
    expect(outcome).toBe('failed');
    expect((await bench.bucket.list(organizationId)).filter((key) => key.includes('/days/csv/'))).toEqual([]);
    await runAgain(organizationId);
    await expectWhole(organizationId, 1);
  }, 60_000);

  it('may run in two processes at once: each day is exported by one of them', async () => {
    const organizations = await beginMany(4);
    const puts: string[] = [];
    const counting: FileStore = {
      ...bench.files,
      put: (object, signal) => {
        puts.push(object.key);
        return bench.files.put(object, signal);
      },
    };
    const race = (): Promise<void> => bench.run({ settings: SETTINGS, files: counting, organizations });
    await Promise.all([race(), race(), race()]);
    for (const organizationId of organizations) await expectWhole(organizationId, 1);
    expect(new Set(puts).size).toBe(puts.length);
    expect(puts).toHaveLength(4 * 5);
  }, 60_000);

  it('cannot spoil what another process has exported since: one that was frozen finds that it is out', async () => {
    const organizationId = await begin();
    let outcome: Promise<string> | undefined;
    let thaw: () => void = () => undefined;
    const frozen = new Promise<void>((resolve) => (thaw = resolve));
    const reached = new Promise<void>((resolve) => {
      const slow: FileStore = {
        ...bench.files,
        put: async (object, signal) => {
          if (object.key.includes('/days/parquet/')) {
            resolve();
            await frozen;
          }
          await bench.files.put(object, signal);
        },
      };
      outcome = exportDay(partsOf({ files: slow }), { organizationId, dayMs: DAY });
    });
    await reached;
    await runAgain(organizationId);
    await expectWhole(organizationId, 1);
    thaw();
    expect(await outcome).toBe('taken');
    await expectWhole(organizationId, 1);
  }, 60_000);

  it('stop at once when the process is to end, and lose nothing', async () => {
    const organizationId = await begin();
    const stopping = new AbortController();
    const files: FileStore = {
      ...bench.files,
      put: async (object, signal) => {
        if (object.key.includes('/days/')) stopping.abort();
        await bench.files.put(object, signal);
      },
    };
    const outcome = await exportDay(partsOf({ files, stopping: stopping.signal }), { organizationId, dayMs: DAY });
    expect(outcome).toBe('waiting');
    await bench.run({ settings: SETTINGS, organizations: [organizationId] }); // its claim ended with it
    await expectWhole(organizationId, 1);
  }, 60_000);

  it('give up a claim that another process has taken, before anything more reaches the bucket', async () => {
    const organizationId = await begin();
    const exports = createFileExportStore(bench.database.pool, { leaseMs: 600 });
    const files: FileStore = {
      ...bench.files,
      put: async (object, signal) => {
        await bench.rows('UPDATE usage_file_export SET leased_by = gen_random_uuid() WHERE org_id = $1 RETURNING 1', [organizationId]);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        await bench.files.put(object, signal);
      },
    };
    const outcome = await exportDay(partsOf({ exports, files, leaseMs: 600 }), { organizationId, dayMs: DAY });
    expect(outcome).toBe('taken');
    expect(await bench.bucket.list(organizationId)).toEqual([]);
  }, 60_000);
});
