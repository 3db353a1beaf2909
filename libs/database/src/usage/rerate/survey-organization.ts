import type { Pool, PoolClient } from 'pg';
import { readOpenings } from '../../ledger/prepaid-opening';
import { readBalance } from '../../ledger/read-balance';
import { runInTransaction } from '../../postgres/run-in-transaction';
import { addPage, planPage, type PlannedPage } from './plan-page';
import { readPage, type EventPage, type EventPlace } from './read-page';
import { keepFirst, noSums, type LeftEvent, type PriceAgain, type RerateCriteria, type RerateSums } from './rerate-ask';

export type Survey = {
  readonly sums: RerateSums;
  readonly left: readonly LeftEvent[];
  /** What of it the balance pays: not what was admitted before the balance began. */
  readonly countedPico: bigint;
};

type SurveyAsk = { readonly criteria: RerateCriteria; readonly organizationId: string; readonly price: PriceAgain };

/** What a re-rating would change for an organization; changes nothing. */
export async function surveyOrganization(pool: Pool, { criteria, organizationId, price }: SurveyAsk): Promise<Survey> {
  const sums = noSums();
  const left: LeftEvent[] = [];
  let countedPico = 0n;
  const openedAtMs = await runInTransaction(
    pool,
    async (client) => (await readOpenings(client, [organizationId])).get(organizationId) ?? 0,
  );
  const facts = { rerateId: '', toPriceVersion: criteria.toPriceVersion, because: '', atMs: 0 };
  for (let after: EventPlace | null | undefined; after !== null;) {
    const eventPage = await readPageAlone(pool, { criteria, organizationId, after: after ?? null });
    const page = planPage(eventPage.found, price, facts);
    addPage(sums, page);
    keepFirst(left, page.left);
    countedPico += sumCounted(page, openedAtMs);
    after = eventPage.last;
  }
  return { sums, left, countedPico };
}

function readPageAlone(pool: Pool, ask: Parameters<typeof readPage>[1]): Promise<EventPage> {
  return runInTransaction(pool, (client) => readPage(client, ask));
}

function sumCounted({ planned }: PlannedPage, openedAtMs: number): bigint {
  return planned.reduce((sum, { correction, admittedAtMs }) => (admittedAtMs < openedAtMs ? sum : sum + BigInt(correction.billed_p)), 0n);
}

const IS_PREPAID = "SELECT EXISTS (SELECT FROM ledger_account WHERE org_id = $1 AND kind = 'clearing') AS prepaid";

type DebtAsk = { readonly organizationId: string; readonly isBalanceRequired: boolean };

/** Whether a balance that is paid in advance can fall below zero at all: others only say what is owed. */
export async function isPrepaid(source: Pool | PoolClient, { organizationId, isBalanceRequired }: DebtAsk): Promise<boolean> {
  if (isBalanceRequired) return true;
  const { rows } = await source.query<{ prepaid: boolean }>(IS_PREPAID, [organizationId]);
  return rows[0]?.prepaid === true;
}

/** Whether a debit note would take a balance that is paid in advance below zero. */
export async function isDebt(source: Pool | PoolClient, ask: DebtAsk, { countedPico }: Pick<Survey, 'countedPico'>): Promise<boolean> {
  if (countedPico <= 0n || !(await isPrepaid(source, ask))) return false;
  return (await readBalance(source, ask.organizationId)).totalPico < countedPico;
}
