import { periodCeiling } from '@weir/usage';
import { DatabaseError, type PoolClient } from 'pg';
import type { OrganizationDatabases } from '../../connection/create-database';
import { IS_WAITING } from '../dead-letters/waiting-letters';
import { readKeptSince } from '../partitions/read-partitions';
import {
  comparePlaces,
  emptySum,
  sumUnexplained,
  type ComparedPlaces,
  type ComparedRange,
  type Difference,
  type PlaceSum,
} from './compare-places';

type Reconciliation = {
  readonly sums: readonly PlaceSum[];
  readonly differences: readonly Difference[];
  /** Must be 0. */
  readonly unexplainedPico: bigint;
  /** No journal has a hole and no event waits to be counted, of whatever organization it may be. */
  readonly isComplete: boolean;
};

const QUERY_CANCELED = '57014';

const IS_COMPLETE = `SELECT NOT EXISTS (SELECT 1 FROM usage_writer WHERE first_gap_at < now() - interval '2 minutes')
  AND NOT EXISTS (SELECT 1 FROM usage_dead_letter WHERE ${IS_WAITING}) AS complete`;

const BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = '5s'";

/** Compares one organization's month in every place where it is written down, in one snapshot. */
export function readReconciliation(
  database: OrganizationDatabases,
  { organizationId, monthMs }: { readonly organizationId: string; readonly monthMs: number },
): Promise<Reconciliation> {
  const range = { organizationId, startMs: monthMs, endMs: periodCeiling('month', monthMs + 1) };
  return database.asOrganization(organizationId).run(async (client) => {
    const compared = await comparePlaces(client, { ...range, places: ['hour', 'day', 'month', 'spend', 'ledger'] });
    const ofEvents = await compareEvents(client, range);
    const { rows } = await client.query<{ complete: boolean }>(IS_COMPLETE);
    return describe(organizationId, [ofEvents, compared], rows[0]?.complete ?? true);
  }, BEGIN);
}

/** Raw events are many and not kept for ever: where they cannot be summed at once, the rollups stand alone. */
async function compareEvents(client: PoolClient, range: Omit<ComparedRange, 'places'>): Promise<ComparedPlaces> {
  await client.query('SAVEPOINT events');
  try {
    if (range.startMs < (await readKeptSince(client, 'usage_event'))) return { sums: new Map(), differences: [] };
    return await comparePlaces(client, { ...range, places: ['events', 'hour'] });
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== QUERY_CANCELED) throw error;
    await client.query('ROLLBACK TO SAVEPOINT events');
    return { sums: new Map(), differences: [] };
  }
}

function describe(organizationId: string, compared: readonly ComparedPlaces[], isComplete: boolean): Reconciliation {
  const sums = new Map(compared.flatMap(({ sums: found }) => found.get(organizationId) ?? []).map((sum) => [sum.place, sum]));
  const differences = compared.flatMap((one) => one.differences);
  return {
    sums: sums.size === 0 ? [emptySum('month')] : [...sums.values()],
    differences,
    unexplainedPico: sumUnexplained(differences),
    isComplete,
  };
}
