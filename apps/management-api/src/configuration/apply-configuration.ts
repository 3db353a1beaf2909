import { summarize, type Step } from '@weir/configuration';
import type { ConfigurationDocument } from '@weir/contracts';
import { createQueryQueue, type Prisma } from '@weir/database';
import { appendAudit } from '../changes/append-audit';
import { runTogether } from '../changes/run-together';
import type { RouteParts } from '../route/management-parts';
import type { RawCall } from '../route/route';
import { carryOutPlan, type NewSecret } from './carry-out-plan';
import { describeStep, type ShownStep } from './describe-step';
import { followAtIdentityProvider } from './follow-at-identity-provider';
import { needsSeal, readWish, type Wish } from './wish';

export type ApplyOptions = {
  readonly prune: boolean;
  readonly adopt: boolean;
  /** Everything is tried, and taken back. */
  readonly isPreview: boolean;
  /** Somebody gets the values of new keys; true unless said. */
  readonly mayMakeKeys?: boolean;
};

export type Applied = {
  readonly configuration: string;
  readonly summary: string;
  readonly steps: readonly ShownStep[];
  /** What is shown this once. */
  readonly secrets: readonly NewSecret[];
  /** What could not be compared, or has to be done by hand. */
  readonly notes: readonly string[];
};

/** One at a time for each organization, and two in a process: each holds one connection and now and then asks for another. */
const ownQueue = createQueryQueue({ runningMax: 1, waitingMax: 4 });
const queue = createQueryQueue({ runningMax: 2, waitingMax: 20 });

/**
 * Makes an organization what a document says, in one transaction: all of it or nothing. Every step is what its endpoint does,
 * with the same checks and its own line in the audit log. Throws one error with everything that is wrong.
 */
export async function applyConfiguration(
  parts: RouteParts,
  call: RawCall,
  document: ConfigurationDocument,
  options: ApplyOptions,
): Promise<Applied> {
  const wish = readWish(document, options);
  const ownPermit = await ownQueue.acquire(call.organizationId);
  try {
    const permit = await queue.acquire('all');
    try {
      return await applyWish({ parts, call, wish, options });
    } finally {
      permit.release();
    }
  } finally {
    ownPermit.release();
  }
}

type Application = { readonly parts: RouteParts; readonly call: RawCall; readonly wish: Wish; readonly options: ApplyOptions };
type Done = { readonly steps: readonly Step[]; readonly secrets: readonly NewSecret[] };

/** Carries the outcome of a preview out of the transaction that must not be committed. */
class TakenBack extends Error {
  constructor(readonly done: Done) {
    super('everything was tried and taken back');
  }
}

async function applyWish({ parts, call, wish, options }: Application): Promise<Applied> {
  const { organizationId } = call;
  // A data key is made outside of the transaction, which would wait for it in vain once it holds the organization's row.
  if (needsSeal(wish)) await parts.vault.seal('-', { organizationId, recordId: organizationId, version: 1 });
  const run = runTogether(parts, organizationId, async (joined, tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`configuration:${organizationId}`}, 0))`;
    const done = await carryOutPlan({ parts: joined, call, tx, wish, mayMakeKeys: options.mayMakeKeys ?? true });
    if (options.isPreview) throw new TakenBack(done);
    if (done.steps.length > 0) await auditApplication(tx, { parts, call, wish, options }, done.steps);
    return done;
  });
  const done = await run.catch((error: unknown) => {
    if (error instanceof TakenBack) return { ...error.done, secrets: [] };
    throw error;
  });
  const notes = options.isPreview ? [] : await followAtIdentityProvider(parts, organizationId, done.steps);
  return {
    configuration: wish.plan.configuration,
    summary: summarize(done.steps),
    steps: done.steps.map(describeStep),
    secrets: done.secrets,
    notes: [...wish.notes, ...notes],
  };
}

/** One line for the whole, beside those of the steps: which document it was. */
async function auditApplication(
  tx: Prisma.TransactionClient,
  { parts, call, wish, options }: Application,
  steps: readonly Step[],
): Promise<void> {
  const { organizationId, requestId, ip, actor = { kind: 'api-key', id: call.principal.key.apiKeyId } } = call;
  const after = {
    configuration: wish.plan.configuration,
    labels: wish.labels as Record<string, string>,
    summary: summarize(steps),
    prune: options.prune,
    adopt: options.adopt,
  };
  const target = { targetKind: 'organization', targetId: organizationId, before: null, after } as const;
  const entry = { organizationId, requestId, ip, action: 'apply-configuration', actorKind: actor.kind, actorId: actor.id, ...target };
  await appendAudit(tx, entry, parts.now());
}
