import type { FailPoint } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { Pool } from 'pg';
import { SILENT_LOG, type DatabaseLog } from '../../postgres/database-log';
import { readKeptSince } from '../partitions/read-partitions';
import { correctPage, type CorrectParts } from './correct-page';
import {
  findOrganizations,
  finishRerate,
  moveState,
  openRerate,
  readProgress,
  type OrganizationProgress,
  type Rerate,
} from './open-rerate';
import { isDebt, isPrepaid, surveyOrganization } from './survey-organization';
import { keepFirst, type LeftEvent, type PriceAgain, type RerateCriteria } from './rerate-ask';

type RerateParts = {
  readonly pool: Pool;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log?: DatabaseLog;
  readonly failPoint?: FailPoint;
  /** Called once for each organization of which something was corrected; it makes `corrected` into `done`, with its audit row. */
  readonly noteDone: (rerate: Rerate, done: OrganizationProgress) => Promise<void>;
};

export type RerateAsk = {
  readonly criteria: RerateCriteria;
  /** For people: in the ledger, and beside each request. */
  readonly because: string;
  readonly actor: string;
  /** A balance that is paid in advance may fall below zero; otherwise such organizations are left as they are. */
  readonly allowsDebt: boolean;
  /** Organizations must have a balance before they use anything. */
  readonly isBalanceRequired: boolean;
  readonly isDryRun: boolean;
  readonly price: PriceAgain;
};

/** `refused`: the difference is more than what is left of the balance. */
type RerateLine = Omit<OrganizationProgress, 'state'> & {
  readonly state: OrganizationProgress['state'] | 'would_correct' | 'would_refuse';
};

export type RerateResult = {
  /** Null where nothing was written down: of a dry run, or when no one used the model. */
  readonly rerateId: string | null;
  readonly isResumed: boolean;
  readonly because: string;
  readonly organizations: readonly RerateLine[];
  /** The first of those that could not be priced again. */
  readonly left: readonly LeftEvent[];
};

/**
 * Prices the usage of a span again that was charged by a wrong price, and corrects it wherever it is counted. Can be repeated
 * at any time, and be killed at any moment: what is corrected is not found again, and what was begun is gone on with.
 */
export async function rerateUsage(parts: RerateParts, ask: RerateAsk): Promise<RerateResult> {
  await checkKept(parts.pool, ask.criteria);
  return ask.isDryRun ? surveyAll(parts, ask) : correctAll(parts, ask);
}

async function checkKept(pool: Pool, { fromMs }: RerateCriteria): Promise<void> {
  const keptSinceMs = await readKeptSince(pool, 'usage_event');
  if (fromMs >= keptSinceMs) return;
  const since = new Date(keptSinceMs).toISOString();
  throw new GatewayError('invalid_request', `Events are kept since ${since}: what is older cannot be priced again.`, { field: 'from' });
}

async function surveyAll({ pool }: RerateParts, { criteria, because, price, ...ask }: RerateAsk): Promise<RerateResult> {
  const organizations: RerateLine[] = [];
  const left: LeftEvent[] = [];
  for (const organizationId of await findOrganizations(pool, criteria)) {
    const survey = await surveyOrganization(pool, { criteria, organizationId, price });
    const { isBalanceRequired, allowsDebt } = ask;
    const isRefused = !allowsDebt && (await isDebt(pool, { organizationId, isBalanceRequired }, survey));
    const state = isRefused ? 'would_refuse' : 'would_correct';
    organizations.push({ organizationId, state, ...survey.sums });
    keepFirst(left, survey.left);
  }
  return { rerateId: null, isResumed: false, because, organizations, left };
}

async function correctAll(parts: RerateParts, ask: RerateAsk): Promise<RerateResult> {
  const { pool } = parts;
  const opened = await openRerate(pool, ask);
  if (opened === null) return { rerateId: null, isResumed: false, because: ask.because, organizations: [], left: [] };
  const { rerate, isResumed } = opened;
  const left: LeftEvent[] = [];
  for (const { organizationId, state } of await readProgress(pool, rerate.id)) {
    if (state === 'done' || state === 'refused') continue;
    keepFirst(left, await correctOrganization(parts, { ask, rerate, organizationId, isBegun: state !== 'waiting' }));
  }
  for (const done of await readProgress(pool, rerate.id)) {
    if (done.state !== 'corrected') continue;
    if (done.corrected > 0) await parts.noteDone(rerate, done);
    else await moveState(pool, { rerateId: rerate.id, organizationId: done.organizationId }, ['corrected', 'done']);
  }
  await finishRerate(pool, rerate.id);
  const organizations = await readProgress(pool, rerate.id);
  return { rerateId: rerate.id, isResumed, because: rerate.because, organizations, left };
}

type Target = { readonly ask: RerateAsk; readonly rerate: Rerate; readonly organizationId: string; readonly isBegun: boolean };

/** An organization is refused as a whole before anything of it is corrected, never in the middle. */
async function correctOrganization(parts: RerateParts, { ask, rerate, organizationId, isBegun }: Target): Promise<readonly LeftEvent[]> {
  const { pool, now, log = SILENT_LOG } = parts;
  const place = { rerateId: rerate.id, organizationId };
  const debt = { organizationId, isBalanceRequired: ask.isBalanceRequired };
  if (!isBegun && !rerate.allowsDebt && (await isPrepaid(pool, debt))) {
    const survey = await surveyOrganization(pool, { criteria: rerate.criteria, organizationId, price: ask.price });
    if (await isDebt(pool, debt, survey)) {
      await moveState(pool, place, ['waiting', 'refused']);
      return [];
    }
  }
  await moveState(pool, place, ['waiting', 'running']);
  const { failPoint } = parts;
  const correcting: CorrectParts = { pool, now, log, price: ask.price, ...(failPoint === undefined ? {} : { failPoint }) };
  const left: LeftEvent[] = [];
  for (;;) {
    const step = await correctPage(correcting, rerate, organizationId);
    keepFirst(left, step.left);
    if (step.isLast) return left;
  }
}
