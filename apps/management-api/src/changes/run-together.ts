import type { ConfigChange } from '@weir/access';
import { Prisma, recordChange, type OrganizationDatabase } from '@weir/database';
import type { RouteParts } from '../route/management-parts';

/** Enough for a thousand changes. */
const TIMEOUT_MS = 60_000;
const TRIES_MAX = 3;

type Together<Result> = (parts: RouteParts, tx: Prisma.TransactionClient) => Promise<Result>;

/**
 * Runs several changes, each as `runChange` runs it, in one transaction: all of them or none. `work` is given parts in
 * whose transaction everything takes place; a change that is refused is undone by itself, and the work may go on. Other
 * processes hear of all of it at the end. The identity provider is not asked: that is for afterwards.
 */
export async function runTogether<Result>(parts: RouteParts, organizationId: string, work: Together<Result>): Promise<Result> {
  const own = parts.database.asOrganization(organizationId);
  const { result, isChanged } = await retryDeadlocks(() =>
    own.transact((tx) => workAndNote(parts, { tx, own }, work), { timeoutMs: TIMEOUT_MS }),
  );
  if (isChanged) {
    // As for one change: a process that misses the notice finds the change log by polling.
    await parts.changeNotices
      .notify()
      .catch((error: unknown) => parts.log.warn({ error }, 'other processes could not be notified of a change'));
  }
  return result;
}

type Place = { readonly tx: Prisma.TransactionClient; readonly own: OrganizationDatabase };

async function workAndNote<Result>(parts: RouteParts, place: Place, work: Together<Result>) {
  const changes = new Map<string, Omit<ConfigChange, 'sequence'>>();
  const joined: RouteParts = {
    ...parts,
    database: { asOrganization: () => joinTransaction(place) },
    changeNotices: { ...parts.changeNotices, notify: () => Promise.resolve() },
    noteChange: (change) => void changes.set(`${change.entity} ${change.entityId}`, change),
    identityProvider: {
      addMember: () => Promise.resolve({ subject: null }),
      removeMember: () => Promise.reject(new Error('the identity provider is not asked within a transaction')),
    },
  };
  const result = await work(joined, place.tx);
  for (const change of changes.values()) await recordChange(place.tx, change);
  return { result, isChanged: changes.size > 0 };
}

/**
 * The database of an organization within a transaction of it. What is transacted in it is a part that can be undone alone:
 * Postgres takes nothing more of a transaction in which a statement failed, unless it goes back to before that part.
 */
function joinTransaction({ tx, own }: Place): OrganizationDatabase {
  return {
    ...own,
    transact: async (work) => {
      await tx.$executeRaw`SAVEPOINT one_change`;
      try {
        const result = await work(tx);
        await tx.$executeRaw`RELEASE SAVEPOINT one_change`;
        return result;
      } catch (error) {
        await tx.$executeRaw`ROLLBACK TO SAVEPOINT one_change`;
        await tx.$executeRaw`RELEASE SAVEPOINT one_change`;
        throw error;
      }
    },
  };
}

async function retryDeadlocks<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const isDeadlock = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2034';
      if (!isDeadlock || attempt === TRIES_MAX) throw error;
    }
  }
}
