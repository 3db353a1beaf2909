import type { Pool } from 'pg';
import { IS_WAITING } from './waiting-letters';

type Dismissal = {
  readonly id: string;
  /** Why it is no usage: stays with the letter. */
  readonly because: string;
};

/** Sets a letter aside for good: it is never counted, and nothing waits for it. Returns false when no letter with this id waits. */
export async function dismissDeadLetter(pool: Pool, { id, because }: Dismissal): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE usage_dead_letter SET dismissed_at = now(), dismissed_because = $2 WHERE id = $1::bigint AND ${IS_WAITING}`,
    [id, because],
  );
  return rowCount === 1;
}
