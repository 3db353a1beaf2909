import { createIdempotencyRecords } from '@weir/database';
import { repeatTasks } from '@weir/http-server';
import { resumeOffboardings, type OffboardingParts } from './finish-offboarding';

const EVERY_MS = 30_000;

/** Takes up, now and then, what a crash or a failing neighbour left; forgets what is out of date. Answers how to stop. */
export function startUpkeep(parts: OffboardingParts): () => Promise<void> {
  const records = createIdempotencyRecords(parts.database.pool);
  const tasks = [
    { name: 'offboardings', everyMs: EVERY_MS, run: () => resumeOffboardings(parts) },
    { name: 'idempotency records', everyMs: EVERY_MS, run: () => records.purge() },
  ];
  return repeatTasks(tasks, parts.log).stop;
}
