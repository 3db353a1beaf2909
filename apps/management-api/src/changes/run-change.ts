import { markClaimApplied, Prisma, recordChange } from '@weir/database';
import type { ConfigChange } from '@weir/access';
import { GatewayError } from '@weir/errors';
import type { ManagementParts, RouteParts } from '../route/management-parts';
import type { RawCall } from '../route/route';
import type { AuditActor } from '../route/audit-actor';
import { appendAudit, type AuditEntry } from './append-audit';

/** The outcome of a change: the result for the caller, the line for the audit log, and what caches must forget. */
export type Change<Result> = {
  readonly result: Result;
  readonly audit: Pick<AuditEntry, 'targetKind' | 'targetId' | 'before' | 'after'>;
  readonly changed: readonly Pick<ConfigChange, 'entity' | 'entityId'>[];
};

/** Who changes what: a key that called, or somebody who needs none. */
export type ChangeCaller = Pick<RawCall, 'organizationId' | 'requestId' | 'ip' | 'claim'> & { readonly action: string } & (
    Pick<RawCall, 'principal' | 'actor'> | { readonly actor: AuditActor }
  );

export type ChangeParts = Pick<RouteParts, 'database' | 'changeNotices' | 'now' | 'log' | 'noteChange'>;
export type OwnerChangeParts = Pick<ManagementParts, 'database' | 'changeNotices' | 'now' | 'log'>;

const TRIES_MAX = 4;

type Work<Result> = (tx: Prisma.TransactionClient) => Promise<Result>;

/**
 * Runs a change in one transaction with its audit line and its lines in the change log, so that none is ever without the
 * others; notifies the other processes once it is committed. It reaches rows of the caller's organization only.
 */
export function runChange<Result>(
  parts: ChangeParts,
  caller: ChangeCaller,
  work: Work<Change<Result>>,
  options?: { readonly timeoutMs: number },
): Promise<Result> {
  const own = parts.database.asOrganization(caller.organizationId);
  return commitChange(parts, () => own.transact((tx) => workAndLog(tx, work, caller, parts), options));
}

/** The same for a change that makes the organization, and so has to look beyond it. */
export function runChangeAsOwner<Result>(parts: OwnerChangeParts, caller: ChangeCaller, work: Work<Change<Result>>): Promise<Result> {
  const { prisma } = parts.database;
  return commitChange(parts, () => prisma.$transaction((tx) => workAndLog(tx, work, caller, parts)));
}

async function commitChange<Result>(
  parts: Pick<ChangeParts, 'changeNotices' | 'log'>,
  commit: () => Promise<Change<Result>>,
): Promise<Result> {
  const { result, changed } = await retryConflicts(commit);
  if (changed.length > 0) {
    // The change is committed: a process that misses the notice finds it by polling.
    await parts.changeNotices
      .notify()
      .catch((error: unknown) => parts.log.warn({ error }, 'other processes could not be notified of a change'));
  }
  return result;
}

async function workAndLog<Result>(
  tx: Prisma.TransactionClient,
  work: Work<Change<Result>>,
  caller: ChangeCaller,
  { now, noteChange }: Pick<ChangeParts, 'now' | 'noteChange'>,
): Promise<Change<Result>> {
  const change = await work(tx);
  await writeLogs(tx, { caller, change, now: now() });
  const changed = change.changed.map((one) => ({ ...one, organizationId: caller.organizationId }));
  for (const one of changed) {
    if (noteChange === undefined) await recordChange(tx, one);
    else noteChange(one);
  }
  return change;
}

async function writeLogs<Result>(
  tx: Prisma.TransactionClient,
  about: { caller: ChangeCaller; change: Change<Result>; now: number },
): Promise<void> {
  const { caller, change, now } = about;
  const { organizationId, action, requestId, ip } = caller;
  const actor = actorOf(caller);
  await appendAudit(tx, { organizationId, action, requestId, ip, actorKind: actor.kind, actorId: actor.id, ...change.audit }, now);
  if (caller.claim !== undefined && !(await markClaimApplied(tx, caller.claim))) {
    throw new GatewayError(
      'idempotency_in_progress',
      'The request took too long, and the same one was sent again meanwhile. Send it again to get its response.',
    );
  }
}

function actorOf(caller: ChangeCaller): AuditActor {
  if (!('principal' in caller)) return caller.actor;
  return caller.actor ?? { kind: 'api-key', id: caller.principal.key.apiKeyId };
}

async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const code = error instanceof Prisma.PrismaClientKnownRequestError ? error.code : undefined;
      // P2002: a name is taken. Of two that add the same at once, the slower one finds it there when it looks again.
      // P2003: what was named is gone, or still named elsewhere; looking again shows which.
      if ((code === 'P2002' || code === 'P2003') && attempt === 1) continue;
      if (code === 'P2002')
        throw new GatewayError('conflict', 'There is one with this name already. Choose another name.', { cause: error });
      if (code === 'P2003') throw new GatewayError('conflict', 'It is still in use elsewhere. Detach it there first.', { cause: error });
      if (code !== 'P2034' || attempt === TRIES_MAX) throw error; // P2034: a deadlock, in which we were the one to give way
    }
  }
}
