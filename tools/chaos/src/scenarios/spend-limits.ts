import { LIMIT_MEASURES, type LimitMeasure } from '@weir/contracts';
import { waitUntil } from '@weir/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readCounted } from '../check/check-limits';
import { injectFault } from '../faults/inject-fault';
import type { Fault } from '../faults/fault';
import type { Load } from '../load/start-load';
import { planRequest } from '../load/client-request';
import type { Rig } from '../rig/start-rig';
import { createLimit } from '../rig/set-limits';
import { expectThat, type Scenario, type Size } from './scenario';

const ROUNDS = { short: 1, full: 6 };
/** A full run has time for ten times as much. */
const SCALES = { short: 1n, full: 10n };
const PICO_PER_USD = 1e12;
/** The simulated provider returns no more tokens than this, as one does that honours the caller's limit. */
const MAX_TOKENS = 60;
const REST_MS = 150_000;

type Row = {
  /** Requests a second. */
  readonly rate: number;
  /** Of the limit, in the unit of its measure. */
  readonly amount: bigint;
  /** More than one request can take, whatever its model: what may be left of a limit that is used up. */
  readonly dearest: bigint;
};

/** A limit of every measure, each on a key of its own that asks for more. */
const ROWS: Readonly<Record<LimitMeasure, Row>> = {
  usd: { rate: 20, amount: 30_000_000_000n, dearest: 1_500_000_000n },
  requests: { rate: 8, amount: 70n, dearest: 1n },
  input_tokens: { rate: 8, amount: 1_800n, dearest: 700n },
  output_tokens: { rate: 8, amount: 1_500n, dearest: 61n },
  tokens: { rate: 8, amount: 3_000n, dearest: 760n },
  concurrent_requests: { rate: 20, amount: 3n, dearest: 4n },
  concurrent_streams: { rate: 12, amount: 2n, dearest: 3n },
};

const FAULTS: readonly Fault[] = [
  { kind: 'kill-part', part: 'redis', downMs: 800 },
  { kind: 'kill-service', service: 'chat-translator', downMs: 300 },
  { kind: 'kill-service', service: 'edge-router', downMs: 300 },
  { kind: 'kill-service', service: 'usage-aggregator', downMs: 500 },
  { kind: 'freeze-service', service: 'chat-translator', ms: 1_500 },
];

type Limited = Row & { readonly measure: LimitMeasure; readonly limitId: string; readonly apiKey: string; readonly isConcurrent: boolean };

async function limitKey(rig: Rig, measure: LimitMeasure, size: Size): Promise<Limited> {
  const { harness } = rig;
  const isConcurrent = LIMIT_MEASURES.some((row) => row.name === measure && row.isConcurrent);
  const row = ROWS[measure];
  const amount = isConcurrent ? row.amount : row.amount * SCALES[size];
  const text = measure === 'usd' ? String(Number(amount) / PICO_PER_USD) : String(amount);
  const reply = await fetch(`${harness.managementUrl}/v1/manage/apikey`, {
    method: 'POST',
    headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: `limited ${randomUUID()}`,
      permissions: { completions: 'write' },
      // The month of a key, which is older than limits of rows, allows as much.
      ...(measure === 'usd' ? { monthly_limit: Number(text) } : {}),
    }),
  });
  const { api_key_id: id, api_key: apiKey } = (await reply.json()) as { api_key_id: string; api_key: string };
  const limitId = await createLimit(harness, { scope: 'key', api_key_id: id, measure, amount: text });
  return { ...row, amount, measure, limitId, apiKey, isConcurrent };
}

function loadAll(rig: Rig, keys: readonly Limited[]): readonly Load[] {
  return keys.map(({ apiKey, rate, measure }) => {
    const isStreaming = measure === 'concurrent_streams';
    return rig.load(rate, {
      apiKey,
      plan: (seed) => {
        const plan = { ...planRequest(seed), maxTokens: MAX_TOKENS };
        return isStreaming && plan.endpoint !== 'embeddings' ? { ...plan, isStream: true } : plan;
      },
    });
  });
}

async function readLeft(rig: Rig, keys: readonly Limited[]): Promise<ReadonlyMap<LimitMeasure, bigint>> {
  const counted = await readCounted(rig.pool);
  return new Map(keys.map(({ measure, limitId, amount }) => [measure, amount - (counted.get(limitId) ?? 0n)]));
}

export const spendLimit: Scenario = {
  id: 'B5',
  title: 'limits of every measure are not overspent by the smallest unit whatever is killed, and holds are given back',
  run: async ({ rig, size, report }) => {
    const keys = await Promise.all(LIMIT_MEASURES.map(({ name }) => limitKey(rig, name, size)));
    loadAll(rig, keys);
    for (let round = 0; round < ROUNDS[size]; round += 1) {
      for (const fault of FAULTS) {
        await pause(700);
        report(`${fault.kind} ${'part' in fault ? fault.part : 'service' in fault ? fault.service : ''}`);
        await injectFault(rig, fault);
      }
    }
    // Its verdict names every limit that is overspent.
    const underFaults = await rig.verify({ quiesceMs: 120_000 });
    expectThat(underFaults.violations.length === 0, underFaults.violations.slice(0, 5).join('; '));
    const left = await readLeft(rig, keys);
    // Whatever the killed held is given back once it expired: all of each limit can be used but less than one request.
    const loads = loadAll(rig, keys);
    const isUsedUp = async (): Promise<boolean> => {
      const now = await readLeft(rig, keys);
      return keys.every(({ measure, dearest, isConcurrent }, at) =>
        isConcurrent ? loads[at]?.results.some(({ isComplete }) => isComplete) : (now.get(measure) ?? dearest) < dearest,
      );
    };
    await waitUntil('every limit is used up', isUsedUp, REST_MS);
    const verdict = await rig.verify({ quiesceMs: 120_000 });
    const end = await readLeft(rig, keys);
    const findings = keys.map(({ measure, amount }) => [`${measure}, left of ${amount}`, `${left.get(measure)}, then ${end.get(measure)}`]);
    return { verdict, findings: { faults: FAULTS.length * ROUNDS[size], ...Object.fromEntries(findings) } };
  },
};
