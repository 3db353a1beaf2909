import type { Database, DatabaseLog } from '@weir/database';

/** Rows that had a number when the heads were logged the last time and were committed only after that. */
const UNCOMMITTED_ROWS = 10_000n;

const READ_HEADS = `SELECT DISTINCT ON (organization_id) organization_id, sequence::text AS sequence, encode(hash, 'hex') AS hash
  FROM audit_log WHERE sequence > $1 ORDER BY organization_id, sequence DESC`;

type Head = { readonly organization_id: string; readonly sequence: string; readonly hash: string };

/**
 * Logs the newest row of every organization's audit log, the first time and whenever a log grew since. Log lines are kept
 * apart from the database, so rows that are taken off the end of an audit log can be noticed: `verify-audit` compares the
 * log with a head noted earlier. Returns a function that looks once.
 */
export function createAuditHeadReporter({ pool }: Pick<Database, 'pool'>, log: Pick<DatabaseLog, 'info'>): () => Promise<void> {
  const reported = new Map<string, string>();
  let newest = 0n;
  return async () => {
    const since = newest > UNCOMMITTED_ROWS ? newest - UNCOMMITTED_ROWS : 0n;
    const { rows } = await pool.query<Head>(READ_HEADS, [since.toString()]);
    for (const { organization_id: organization, sequence, hash } of rows) {
      if (BigInt(sequence) > newest) newest = BigInt(sequence);
      if (reported.get(organization) === hash) continue;
      reported.set(organization, hash);
      log.info({ organization, auditHead: { id: sequence, hash } }, 'newest row of an audit log');
    }
  };
}
