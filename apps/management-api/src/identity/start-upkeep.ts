import { createIdempotencyRecords, purgeContents } from '@weir/database';
import { repeatTasks } from '@weir/http-server';
import { createAuditHeadReporter } from '../changes/report-audit-heads';
import { forgetSessions } from './open-session';
import { resumeOffboardings, type ResumingParts } from './finish-offboarding';

const EVERY_MS = 30_000;
const RARE_EVERY_MS = 600_000;

/**
 * Periodically resumes what a crash or a failing dependency left unfinished, deletes what is out of date, checks ahead of
 * the first request whether row-level security is in force, and logs the heads of audit logs. Returns a function that stops it.
 */
export function startUpkeep(parts: ResumingParts): () => Promise<void> {
  const records = createIdempotencyRecords(parts.database.pool);
  const tasks = [
    { name: 'offboardings', everyMs: EVERY_MS, run: () => resumeOffboardings(parts) },
    { name: 'idempotency records', everyMs: EVERY_MS, run: () => records.purge() },
    { name: 'contents of requests', everyMs: RARE_EVERY_MS, run: () => purgeContents(parts.database.pool, Date.now()) },
    { name: 'sessions', everyMs: RARE_EVERY_MS, run: () => forgetSessions(parts.database, Date.now()) },
    { name: 'row-level security', everyMs: EVERY_MS, run: () => parts.database.rowSecurity.check() },
    { name: 'audit heads', everyMs: RARE_EVERY_MS, run: createAuditHeadReporter(parts.database, parts.log) },
  ];
  return repeatTasks(tasks, parts.log).stop;
}
