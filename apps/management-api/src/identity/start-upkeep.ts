import { createIdempotencyRecords } from '@weir/database';
import { repeatTasks } from '@weir/http-server';
import { createAuditWitness } from '../changes/report-audit-heads';
import { forgetSessions } from './open-session';
import { resumeOffboardings, type ResumingParts } from './finish-offboarding';

const EVERY_MS = 30_000;
const WITNESS_EVERY_MS = 600_000;

/**
 * Takes up, now and then, what a crash or a failing neighbour left; forgets what is out of date; finds out, before anybody
 * asks, whether Postgres keeps organizations apart; tells how far audit logs go. Answers how to stop.
 */
export function startUpkeep(parts: ResumingParts): () => Promise<void> {
  const records = createIdempotencyRecords(parts.database.pool);
  const tasks = [
    { name: 'offboardings', everyMs: EVERY_MS, run: () => resumeOffboardings(parts) },
    { name: 'idempotency records', everyMs: EVERY_MS, run: () => records.purge() },
    { name: 'sessions', everyMs: WITNESS_EVERY_MS, run: () => forgetSessions(parts.database, Date.now()) },
    { name: 'row-level security', everyMs: EVERY_MS, run: () => parts.database.rowSecurity.check() },
    { name: 'audit heads', everyMs: WITNESS_EVERY_MS, run: createAuditWitness(parts.database, parts.log) },
  ];
  return repeatTasks(tasks, parts.log).stop;
}
