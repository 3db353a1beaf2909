import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import type { ManagementParts, RouteParts } from '../route/management-parts';
import type { MembershipRow } from '../records/members';
import { admitAtIdentityProvider } from './admit-at-identity-provider';

type Job = Prisma.OffboardJobGetPayload<object>;
type OffboardingParts = Pick<RouteParts, 'database' | 'identityProvider' | 'log'>;
export type ResumingParts = Pick<ManagementParts, 'database' | 'identityProvider' | 'log'>;

/** The call that notes a job also does it; no one else takes it up within this time. */
const HEAD_START_MS = 60_000;
const PAUSE_MS_MAX = 3_600_000;
const JOBS_AT_ONCE = 20;

/** Notes, in the transaction that takes the member out here, what is left to do at the identity provider. */
export async function planOffboarding(tx: Prisma.TransactionClient, { organizationId, userId, user }: MembershipRow): Promise<void> {
  const now = Date.now();
  const job = {
    subject: user.idpSubject,
    email: user.email,
    attempts: 0,
    createdAt: new Date(now),
    nextTryAt: new Date(now + HEAD_START_MS),
    finishedAt: null,
  };
  const key = { organizationId, userId };
  await tx.offboardJob.upsert({ where: { organizationId_userId: key }, create: { ...key, ...job }, update: job });
}

/** Somebody who comes back is not to be taken out by a job that is left over. */
export async function cancelOffboarding(tx: Prisma.TransactionClient, key: { organizationId: string; userId: string }): Promise<void> {
  await tx.offboardJob.deleteMany({ where: key });
}

/** Does what is left of an offboarding. Throws `provider_failed` when the identity provider cannot do it; then it is tried again later. */
export async function finishOffboarding(parts: OffboardingParts, key: { organizationId: string; userId: string }): Promise<void> {
  const { organizationId, userId } = key;
  const own = parts.database.asOrganization(organizationId);
  const job = await own.transact((tx) => tx.offboardJob.findUnique({ where: { organizationId_userId: { organizationId, userId } } }));
  if (job === null || job.finishedAt !== null) return;
  await runJob(parts, job);
}

/** Resumes offboardings that a crash or the identity provider left unfinished. Returns how many are finished now. */
export async function resumeOffboardings(parts: ResumingParts): Promise<number> {
  const due = await parts.database.prisma.$queryRaw<{ organization_id: string; user_id: string }[]>`
    UPDATE offboard_job SET next_try_at = now() + interval '1 minute' WHERE (organization_id, user_id) IN (
      SELECT organization_id, user_id FROM offboard_job WHERE finished_at IS NULL AND next_try_at <= now()
      ORDER BY next_try_at LIMIT ${JOBS_AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING organization_id, user_id`;
  let finished = 0;
  for (const { organization_id: organizationId, user_id: userId } of due) {
    try {
      await finishOffboarding(parts, { organizationId, userId });
      finished += 1;
    } catch (error) {
      parts.log.warn({ error, organizationId, userId }, 'an offboarding waits for the identity provider; trying again later');
    }
  }
  return finished;
}

async function runJob(parts: OffboardingParts, job: Job): Promise<void> {
  const { organizationId, userId, subject, email, createdAt } = job;
  const own = parts.database.asOrganization(organizationId);
  const where = { organizationId, userId, createdAt };
  try {
    await parts.identityProvider.removeMember({ organizationId, subject, email });
  } catch (error) {
    const pause = Math.min(HEAD_START_MS * 2 ** job.attempts, PAUSE_MS_MAX);
    const data = { attempts: { increment: 1 }, nextTryAt: new Date(Date.now() + pause) };
    await own.transact((tx) => tx.offboardJob.updateMany({ where, data }));
    const message =
      'The identity provider could not remove the member. The API keys are invalid already; send the request again to finish.';
    throw new GatewayError('provider_failed', message, { cause: error });
  }
  const { count } = await own.transact((tx) => tx.offboardJob.updateMany({ where, data: { finishedAt: new Date() } }));
  // Added again while this was under way: then that is what counts.
  if (count === 0) await admitAtIdentityProvider(parts, { organizationId, userId });
}
