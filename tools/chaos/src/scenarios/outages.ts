import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@weir/gateway-e2e';
import { waitUntil } from '@weir/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { reviveService } from '../faults/inject-fault';
import type { Rig } from '../rig/start-rig';
import type { PartName } from '../parts/start-breakable-parts';
import { expectThat, type Findings, type Scenario } from './scenario';

const RATE = 20;
const OUTAGE_MS = { short: 1_500, full: 30_000 };
const RECOVERY_MS = 30_000;
const NO_ANSWER = 0;

/** Who asks while something is away. `known` and `limited` were served before, `stranger` never was. */
type Asker = 'known' | 'limited' | 'stranger' | 'administrator' | 'picture';

/** One row of the table in docs/faults.md: what each asker may be answered meanwhile. */
type Outage = {
  readonly name: string;
  readonly away: { readonly part: PartName } | { readonly service: ServiceName };
  readonly statuses: Readonly<Record<Asker, readonly number[]>>;
  /** What `x-weir-limits-unavailable` says to the limited one. */
  readonly limitsBy: string | null;
};

const SERVED = { known: [200], limited: [200], stranger: [200], administrator: [200], picture: [200] } as const;

const OUTAGES: readonly Outage[] = [
  { name: 'Kafka', away: { part: 'kafka' }, statuses: SERVED, limitsBy: null },
  { name: 'Postgres', away: { part: 'postgres' }, statuses: { ...SERVED, stranger: [503], administrator: [503] }, limitsBy: null },
  { name: 'Redis', away: { part: 'redis' }, statuses: SERVED, limitsBy: 'lease' },
  { name: 'management-api', away: { service: 'management-api' }, statuses: { ...SERVED, administrator: [NO_ANSWER] }, limitsBy: null },
  { name: 'usage-aggregator', away: { service: 'usage-aggregator' }, statuses: SERVED, limitsBy: null },
  { name: 'media-service', away: { service: 'media-service' }, statuses: { ...SERVED, picture: [503] }, limitsBy: null },
];

export const outages: Scenario = {
  id: 'O1',
  title: 'each part goes away in turn: requests that do not need it are served, others are refused at once, and nothing is lost',
  isLong: true,
  run: async ({ rig, size, report }) => {
    rig.load(RATE);
    const findings: Record<string, string> = {};
    for (const outage of OUTAGES) {
      findings[outage.name] = await actOut(rig, outage, OUTAGE_MS[size]);
      report(`${outage.name} away: ${findings[outage.name]}`);
    }
    return { verdict: await rig.verify({ quiesceMs: 120_000 }), findings: findings satisfies Findings };
  },
};

async function actOut(rig: Rig, outage: Outage, lastsMs: number): Promise<string> {
  const keys = { known: await createKey(rig), limited: await createKey(rig, 500), stranger: await createKey(rig) };
  const ask = (asker: Asker): Promise<Answer> => askAs(rig, asker, asker === 'limited' || asker === 'stranger' ? keys[asker] : keys.known);
  for (const asker of ['known', 'limited', 'administrator', 'picture'] as const) await untilServed(asker, ask);
  const mend = await takeAway(rig, outage.away);
  const counts = new Map<string, number>();
  const wrong: string[] = [];
  let slowestMs = 0;
  for (const until = Date.now() + lastsMs; Date.now() < until; await pause(100)) {
    for (const asker of Object.keys(outage.statuses) as Asker[]) {
      const answer = await ask(asker);
      slowestMs = Math.max(slowestMs, answer.tookMs);
      const reported = `${asker} ${answer.status}${answer.limitsBy === null ? '' : ` by ${answer.limitsBy}`}`;
      counts.set(reported, (counts.get(reported) ?? 0) + 1);
      const isLimitWrong = asker === 'limited' && answer.limitsBy !== outage.limitsBy;
      if (!outage.statuses[asker].includes(answer.status) || isLimitWrong) wrong.push(`${reported}: ${answer.text.slice(0, 200)}`);
    }
  }
  await mend();
  for (const asker of ['known', 'limited', 'stranger', 'administrator', 'picture'] as const) await untilServed(asker, ask);
  expectThat(wrong.length === 0, `${outage.name} away: ${wrong.slice(0, 5).join('; ')}`);
  return `${[...counts].map(([reported, count]) => `${reported} x${count}`).join(', ')}, slowest ${Math.round(slowestMs)} ms`;
}

async function takeAway(rig: Rig, away: Outage['away']): Promise<() => Promise<void>> {
  if ('service' in away) {
    await rig.harness.services[away.service].kill();
    return () => reviveService(rig, away.service);
  }
  const { proxy } = rig.parts[away.part];
  proxy.setMode({ kind: 'refuse' });
  return () => Promise.resolve(proxy.setMode({ kind: 'pass' }));
}

async function untilServed(asker: Asker, ask: (asker: Asker) => Promise<Answer>): Promise<void> {
  await waitUntil(`${asker} is served as ever`, async () => isServed(await ask(asker)), RECOVERY_MS);
}

function isServed({ status, limitsBy }: Answer): boolean {
  return status === 200 && limitsBy === null;
}

export async function createKey({ harness }: Rig, limitUsd: number | null = null): Promise<string> {
  const reply = await fetch(`${harness.managementUrl}/v1/manage/apikey`, {
    method: 'POST',
    headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `outage ${randomUUID()}`, monthly_limit: limitUsd, permissions: { completions: 'write' } }),
  });
  if (reply.status !== 201) throw new Error(`no key: ${reply.status} ${await reply.text()}`);
  return ((await reply.json()) as { api_key: string }).api_key;
}

type Answer = { readonly status: number; readonly limitsBy: string | null; readonly text: string; readonly tookMs: number };

export async function askAs({ harness }: Rig, asker: Asker, apiKey: string): Promise<Answer> {
  const startedAt = performance.now();
  const isAdministrator = asker === 'administrator';
  const path = asker === 'picture' ? '/v1/images/generations' : '/v1/chat/completions';
  const body =
    asker === 'picture'
      ? { model: 'sandbox/image', prompt: 'kite', size: '64x64' }
      : { model: 'sandbox/chat', max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] };
  try {
    const reply = await fetch(isAdministrator ? `${harness.managementUrl}/v1/manage/apikey` : `${harness.url}${path}`, {
      method: isAdministrator ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${isAdministrator ? harness.apiKey : apiKey}`, 'content-type': 'application/json' },
      ...(isAdministrator ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const limitsBy = reply.headers.get('x-weir-limits-unavailable');
    return { status: reply.status, limitsBy, text, tookMs: performance.now() - startedAt };
  } catch (error) {
    return { status: NO_ANSWER, limitsBy: null, text: String(error), tookMs: performance.now() - startedAt };
  }
}
