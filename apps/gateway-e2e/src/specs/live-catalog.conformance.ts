import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UsageEvent } from '@weir/contracts';
import { createDatabase, SILENT_LOG } from '@weir/database';
import { makeTestFolder } from '@weir/testing';
import { callUntil, createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { runProcess } from '../harness/run-process';
import { waitForRequests, type UsageSource } from '../harness/read-usage';

/** A gateway that runs, with the Postgres that it works on. */
export type ChangedGateway = UsageSource & {
  readonly url: string;
  readonly databaseUrl: string;
  /** Of every process that serves metrics. */
  readonly metricsUrls: () => readonly string[];
  /** Kills what serves requests, and starts it again. */
  readonly restart: () => Promise<void>;
};

/** A change is in force everywhere within this time. */
const WITHIN_MS = 5_000;
const CALLERS = 3;
const [OLD, NEW] = ['0.000001', '0.000003'];

type Served = { readonly status: number; readonly version: string; readonly begunAtMs: number };

const price = (input: string) => ({ version: `at ${input}`, tiers: [{ threshold: 0, input, output: input }] });

function modelOf(id: string, prices: readonly object[]): object {
  return { id, modality: 'chat', provider: 'sandbox', upstreamModel: 'chat', vendor: 'sandbox', canonicalName: 'sandbox/chat', prices };
}

const FIRST = modelOf('sandbox/priced', [{ ...price(OLD), validFrom: '2026-01-01' }]);
const SECOND = modelOf('sandbox/priced', [
  { ...price(OLD), validFrom: '2026-01-01' },
  { ...price(NEW), validFrom: '2026-11-01' },
]);

/** Changes the catalogue as an operator does. */
async function apply(databaseUrl: string, changes: object): Promise<void> {
  const path = join(makeTestFolder('changes'), 'changes.json');
  writeFileSync(path, JSON.stringify(changes));
  const env = { DATABASE_URL: databaseUrl, KEY_PEPPER: 'a pepper that no key is looked up with', DATA_DIR: '/nowhere' };
  const weir = runProcess('apps/operator/dist/main.js', env, { args: ['catalog', 'apply', path, '--yes'] });
  const code = await weir.ended;
  if (code !== 0) throw new Error(`weir ended with ${code}:\n${weir.output()}`);
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));

const ask = (call: CallHarness, model: string): Promise<HarnessReply> =>
  call('POST /v1/chat/completions', { model, messages: [{ role: 'user', content: 'Say something.' }], max_tokens: 20 });

async function readEvents(databaseUrl: string): Promise<UsageEvent[]> {
  const database = createDatabase({ url: databaseUrl, poolMax: 1, log: SILENT_LOG });
  try {
    const { rows } = await database.pool.query<{ payload: UsageEvent }>('SELECT payload FROM usage_event');
    return rows.map(({ payload }) => payload);
  } finally {
    await database.close();
  }
}

/** The number of the version in force, of each process. */
async function readVersions(urls: readonly string[]): Promise<string[]> {
  const pages = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  return pages.flatMap((page) =>
    [...page.matchAll(/^weir_catalog_version\{[^}]*state="in_force"[^}]*\} (\d+)$/gm)].map(([, id = '']) => id),
  );
}

/** Waits until every process works by this version of the catalogue, but not beyond the deadline; returns the versions seen last. */
async function waitForVersion(gateway: ChangedGateway, wanted: string, deadlineMs: number): Promise<Set<string>> {
  for (;;) {
    const versions = new Set(await readVersions(gateway.metricsUrls()));
    if ((versions.size === 1 && versions.has(wanted)) || performance.now() >= deadlineMs) return versions;
    await pause(50);
  }
}

/** What every shape of the gateway promises of a catalogue that is changed while it runs. */
export function describeLiveCatalog(open: () => ChangedGateway): void {
  it('prices by one version or the other, refuses nothing, and is everywhere within five seconds', async () => {
    const gateway = open();
    const call = createCallHarness(gateway);
    await apply(gateway.databaseUrl, { models: [FIRST] });
    // One process that knows the model is not all of them: until each does, a 404 is right.
    expect(await waitForVersion(gateway, '1', performance.now() + WITHIN_MS)).toEqual(new Set(['1']));
    await callUntil(
      () => ask(call, 'sandbox/priced'),
      ({ status }) => status === 200,
    );

    const served: Served[] = [];
    let isOver = false;
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        const begunAtMs = performance.now();
        const { status, json } = await ask(call, 'sandbox/priced');
        const { cost = 0, total_tokens: tokens = 1 } = (json['usage'] ?? {}) as { cost?: number; total_tokens?: number };
        served.push({ status, begunAtMs, version: Math.round((cost / tokens) * 1e6) === 1 ? OLD : NEW });
        await pause(10);
      }
    });
    await apply(gateway.databaseUrl, { models: [SECOND, modelOf('sandbox/added', [{ ...price(NEW), validFrom: '2026-01-01' }])] });
    const deadlineMs = performance.now() + WITHIN_MS;
    await callUntil(
      () => ask(call, 'sandbox/added'),
      ({ status }) => status === 200,
    );
    await callUntil(
      () => call('GET /v1/models'),
      ({ text }) => text.includes('"sandbox/added"'),
    );
    const versions = await waitForVersion(gateway, '2', deadlineMs);
    const inForceAtMs = performance.now();
    await pause(300);
    isOver = true;
    await Promise.all(callers);

    expect(versions).toEqual(new Set(['2']));
    expect(served.filter(({ status }) => status !== 200)).toEqual([]);
    expect(new Set(served.map(({ version }) => version))).toEqual(new Set([OLD, NEW]));
    const late = served.filter(({ version, begunAtMs }) => version === OLD && begunAtMs > inForceAtMs);
    expect(late).toEqual([]);
    await waitForRequests(gateway, served.length + 2);
  });

  it('charged every event what the price that it names says', async () => {
    const { databaseUrl } = open();
    const events = (await readEvents(databaseUrl)).filter(({ model_used: model }) => model === 'sandbox/priced');

    expect(new Set(events.map(({ price_version: version }) => version))).toEqual(new Set([`at ${OLD}`, `at ${NEW}`]));
    const wrong = events.filter((event) => BigInt(event.cost_p) !== BigInt(countTokens(event)) * picoOf(event.price_version));
    expect(wrong).toEqual([]);
  });

  it('comes back with its version after it was killed', async () => {
    await open().restart();
    const gateway = open();
    const call = createCallHarness(gateway);

    const { status, json } = await callUntil(
      () => ask(call, 'sandbox/added'),
      ({ status: now }) => now === 200,
    );
    expect([status, typeof json['usage']]).toEqual([200, 'object']);
    expect(new Set(await readVersions(gateway.metricsUrls()))).toEqual(new Set(['2']));
  });
}

/** Of one token, whatever its kind. */
function picoOf(version: string): bigint {
  return version === `at ${OLD}` ? 1_000_000n : 3_000_000n;
}

function countTokens({ units }: UsageEvent): number {
  return units.in + units.cached_in + units.out;
}
