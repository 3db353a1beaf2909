import type { CountFreeSlots } from '@weir/limits';
import type { Pool } from 'pg';

const COUNT = {
  name: 'weir-count-free-places',
  text: 'SELECT used FROM free_day WHERE org_id = $1 AND day = to_timestamp($2::bigint)',
};

/** Slots of free-model days as the events have them that are in the rollups. */
export function createFreeSlotCounter(pool: Pool): CountFreeSlots {
  return async (organizationId, dayMs) => {
    const { rows } = await pool.query<{ used: number }>({ ...COUNT, values: [organizationId, dayMs / 1000] });
    return rows[0]?.used ?? 0;
  };
}
