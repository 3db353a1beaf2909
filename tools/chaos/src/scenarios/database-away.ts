import { setTimeout as pause } from 'node:timers/promises';
import type { Rig } from '../rig/start-rig';
import type { ClientResult } from '../load/send-request';
import { askAs, createKey } from './outages';
import { expectThat, type Scenario } from './scenario';

const RATE = { short: 40, full: 200 };
const REST_MS = { short: 1_500, full: 5_000 };
/** Keys seen before are believed for 15 minutes without Postgres. */
const OUTAGE_MS = { short: 5_000, full: 600_000 };
const ASK_EVERY_MS = { short: 500, full: 5_000 };
const QUIESCE_MS = 300_000;

export const refuseDatabase: Scenario = {
  id: 'D5',
  title: 'an outage of Postgres under load costs no known key an error; strangers and administrators get 503, and nothing is lost',
  run: async ({ rig, size, report }) => {
    const stranger = await createKey(rig);
    const load = rig.load(RATE[size]);
    await pause(REST_MS[size]);
    const endedBefore = load.results.length;
    rig.parts.postgres.proxy.setMode({ kind: 'refuse' });
    report(`Postgres gone for ${OUTAGE_MS[size]} ms`);
    const refusals = await askMeanwhile(rig, stranger, { lastsMs: OUTAGE_MS[size], everyMs: ASK_EVERY_MS[size] });
    const attempts = load.results.length - endedBefore;
    const waiting = (await rig.metrics('chat-translator')).get('weir_journal_unaggregated_events') ?? 0;
    rig.parts.postgres.proxy.setMode({ kind: 'pass' });
    const failed = (await load.stop()).slice(endedBefore).filter(isFailure);
    const drainStartedAt = Date.now();
    await rig.quiesce(QUIESCE_MS);
    const drainMs = Date.now() - drainStartedAt;
    const verdict = await rig.verify({ quiesceMs: QUIESCE_MS });
    expectThat(failed.length === 0, `no known key meets an error (${failed.length} did: ${describe(failed)})`);
    expectThat(waiting > attempts / 2, `the outage is real (${waiting} events waited of ${attempts})`);
    return {
      verdict,
      findings: { 'outage, s': OUTAGE_MS[size] / 1000, attempts, refusals, 'client errors': 0, waiting, 'drain, ms': drainMs },
    };
  },
};

/** Asks as somebody whose key was never seen and as an administrator, and expects 503 every time; says how often. */
async function askMeanwhile(rig: Rig, stranger: string, { lastsMs, everyMs }: { lastsMs: number; everyMs: number }): Promise<number> {
  let refusals = 0;
  for (const until = Date.now() + lastsMs; Date.now() < until; await pause(everyMs)) {
    for (const answer of await Promise.all([askAs(rig, 'stranger', stranger), askAs(rig, 'administrator', rig.harness.apiKey)])) {
      expectThat(answer.status === 503, `a request that needs Postgres gets 503, not ${answer.status}: ${answer.text.slice(0, 200)}`);
      refusals += 1;
    }
  }
  return refusals;
}

/** Of what was not asked for: a tenth of the load wants its provider to fail. */
function isFailure({ status, request }: ClientResult): boolean {
  return status !== 200 && !request.prompt.includes('ending=');
}

function describe(failed: readonly ClientResult[]): string {
  return failed
    .slice(0, 3)
    .map(({ status, text }) => `${status} ${text.slice(0, 150)}`)
    .join('; ');
}
