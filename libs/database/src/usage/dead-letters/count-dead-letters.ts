import type { Pool } from 'pg';
import { IS_WAITING } from './waiting-letters';

/** Dead letters that wait to be replayed, by reason. */
export async function countDeadLetters(pool: Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ reason: string; count: string }>(
    `SELECT reason, count(*)::text AS count FROM usage_dead_letter WHERE ${IS_WAITING} GROUP BY reason`,
  );
  return new Map(rows.map(({ reason, count }) => [reason, Number(count)]));
}
