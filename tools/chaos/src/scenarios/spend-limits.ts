import { waitUntil } from '@weir/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { injectFault } from '../faults/inject-fault';
import type { Fault } from '../faults/fault';
import type { Rig } from '../rig/start-rig';
import { planRequest } from '../load/client-request';
import { expectThat, type Scenario } from './scenario';

const LIMIT_USD = { short: 0.03, full: 0.3 };
const ROUNDS = { short: 1, full: 6 };
const RATE = 50;
const PICO_PER_USD = 1e12;
/** The simulated provider returns no more tokens than this, as one does that honours the caller's limit. */
const MAX_TOKENS = 60;
/** Of one request, whatever its model: well above what sixty tokens and a short prompt cost at the dearest of them. */
const DEAREST_PICO = 1_500_000_000n;
const REST_MS = 150_000;

const FAULTS: readonly Fault[] = [
  { kind: 'kill-part', part: 'redis', downMs: 800 },
  { kind: 'kill-service', service: 'chat-translator', downMs: 300 },
  { kind: 'kill-service', service: 'edge-router', downMs: 300 },
  { kind: 'kill-service', service: 'usage-aggregator', downMs: 500 },
  { kind: 'freeze-service', service: 'chat-translator', ms: 1_500 },
];

type Key = { readonly id: string; readonly apiKey: string };

async function createKey({ harness }: Rig, limitUsd: number): Promise<Key> {
  const reply = await fetch(`${harness.managementUrl}/v1/manage/apikey`, {
    method: 'POST',
    headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `limited ${randomUUID()}`, monthly_limit: limitUsd, permissions: { completions: 'write' } }),
  });
  const { api_key_id: id, api_key: apiKey } = (await reply.json()) as { api_key_id: string; api_key: string };
  return { id, apiKey };
}

async function readSpent({ pool }: Rig, { id }: Key): Promise<bigint> {
  const { rows } = await pool.query<{ pico: string }>(
    "SELECT coalesce(sum((payload ->> 'cost_p')::numeric), 0)::text AS pico FROM usage_event WHERE payload ->> 'api_key_id' = $1",
    [id],
  );
  return BigInt(rows[0]?.pico ?? 0);
}

export const spendLimit: Scenario = {
  id: 'B5',
  title: 'a monthly limit is not overspent by a pico-dollar whatever is killed, and holds are given back',
  run: async ({ rig, size, report }) => {
    const key = await createKey(rig, LIMIT_USD[size]);
    const limitPico = BigInt(Math.round(LIMIT_USD[size] * PICO_PER_USD));
    const send = (): void => void rig.load(RATE, { apiKey: key.apiKey, plan: (seed) => ({ ...planRequest(seed), maxTokens: MAX_TOKENS }) });
    send();
    for (let round = 0; round < ROUNDS[size]; round += 1) {
      for (const fault of FAULTS) {
        await pause(700);
        report(`${fault.kind} ${'part' in fault ? fault.part : 'service' in fault ? fault.service : ''}`);
        await injectFault(rig, fault);
      }
    }
    await rig.verify({ quiesceMs: 120_000 });
    const spentUnderFaults = await readSpent(rig, key);
    expectThat(spentUnderFaults <= limitPico, `spent ${spentUnderFaults} p$ of a limit of ${limitPico} p$`);
    // Whatever the killed held is given back once it expired: all of the limit can be used but less than one request.
    send();
    await waitUntil('the limit is used up', async () => limitPico - (await readSpent(rig, key)) < DEAREST_PICO, REST_MS);
    const verdict = await rig.verify({ quiesceMs: 120_000 });
    const spent = await readSpent(rig, key);
    expectThat(spent <= limitPico, `spent ${spent} p$ of a limit of ${limitPico} p$`);
    return {
      verdict,
      findings: {
        faults: FAULTS.length * ROUNDS[size],
        'limit, p$': String(limitPico),
        'under faults, p$': String(spentUnderFaults),
        'in the end, p$': String(spent),
      },
    };
  },
};
