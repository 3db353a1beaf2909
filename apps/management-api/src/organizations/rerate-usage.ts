import type { FailPoint } from '@weir/contracts';
import { rerateUsage, type OrganizationProgress, type Rerate, type RerateAsk, type RerateResult } from '@weir/database';
import { formatUsd } from '@weir/pricing';
import { runChangeAsOwner, type ChangeCaller, type OwnerChangeParts } from '../changes/run-change';

type RerateParts = OwnerChangeParts & { readonly failPoint?: FailPoint };

/** Prices usage again that was charged by a wrong price, with an audit row for each organization of which something changed. */
export function rerateWithAudit(
  { failPoint, ...parts }: RerateParts,
  ask: RerateAsk,
  callAs: (organizationId: string, action: string) => ChangeCaller,
): Promise<RerateResult> {
  const { database, now, log } = parts;
  return rerateUsage(
    {
      pool: database.pool,
      now,
      log,
      ...(failPoint === undefined ? {} : { failPoint }),
      noteDone: (rerate, done) => noteDone(parts, callAs(done.organizationId, 'rerate-usage'), { rerate, done }),
    },
    ask,
  );
}

/** Another process was asked for the same, and has noted it. */
class NotedAlready extends Error {
  override readonly name = 'NotedAlready';
}

/** That it is done and the audit row are one transaction: a crash before it leaves both to the next time. */
async function noteDone(
  parts: OwnerChangeParts,
  caller: ChangeCaller,
  { rerate, done }: { readonly rerate: Rerate; readonly done: OrganizationProgress },
): Promise<void> {
  const { organizationId } = caller;
  const change = runChangeAsOwner(parts, caller, async (tx) => {
    const place = { rerateId: rerate.id, organizationId, state: 'corrected' };
    const { count } = await tx.rerateOrganization.updateMany({ where: place, data: { state: 'done', finishedAt: new Date(parts.now()) } });
    if (count === 0) throw new NotedAlready();
    const audit = {
      targetKind: 'organization' as const,
      targetId: organizationId,
      before: { price_version: rerate.criteria.priceVersion },
      after: describeDone(rerate, done),
    };
    return { result: undefined, audit, changed: [{ entity: 'organization' as const, entityId: organizationId }] };
  });
  await change.catch((error: unknown) => {
    if (!(error instanceof NotedAlready)) throw error;
  });
}

function describeDone({ id, criteria, because }: Rerate, { corrected, leftOver, costPico, billedPico }: OrganizationProgress) {
  return {
    rerate_id: id,
    model: criteria.modelUsed,
    from: new Date(criteria.fromMs).toISOString(),
    to: new Date(criteria.toMs).toISOString(),
    price_version: criteria.toPriceVersion,
    because,
    corrected,
    left: leftOver,
    cost_difference: formatUsd(costPico),
    billed_difference: formatUsd(billedPico),
  };
}
