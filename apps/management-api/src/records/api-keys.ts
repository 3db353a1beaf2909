import type { apiKeyListParameters } from '@weir/contracts';
import { createSpendReader, type Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import type { z } from 'zod';
import type { Authority } from '../route/authority';
import { runChange, type ChangeCaller, type ChangeParts } from '../changes/run-change';
import type { RouteParts } from '../route/management-parts';
import { readLabels } from './label-sets';
import { containing, selectPage, type SearchedPagePlan } from './pages';
import { isUuid, notFound } from './require-id';
import { limitToText, limitToUsd, picoToUsd } from './usd';

const withRelations = { labelSet: true, creator: true } as const satisfies Prisma.ApiKeyInclude;
export type ApiKeyRow = Prisma.ApiKeyGetPayload<{ include: typeof withRelations }>;

export async function getApiKey(tx: Prisma.TransactionClient, organizationId: string, id: string): Promise<ApiKeyRow> {
  const key = await tx.apiKey.findFirst({ where: { id, organizationId }, include: withRelations });
  if (key === null) throw notFound('API key', id);
  return key;
}

type ListedKeys = {
  readonly organizationId: string;
  readonly authority: Authority;
  readonly state: z.output<typeof apiKeyListParameters>['state'];
};

/** The keys that the caller reaches, of one state or of all. */
export async function listApiKeys(
  tx: Prisma.TransactionClient,
  { organizationId, authority, state }: ListedKeys,
  plan: SearchedPagePlan,
): Promise<ApiKeyRow[]> {
  const { where, ...page } = selectPage(plan, 'id');
  const ofState = state === 'all' ? {} : { status: state };
  const listed = { organizationId, isSession: false, ...ofState, AND: [selectReached(authority), selectFound(plan.search)] };
  return tx.apiKey.findMany({ where: { ...listed, ...where }, include: withRelations, ...page });
}

/** By name, by the characters that a key is shown with, or by its whole id. */
function selectFound(search: string | undefined): Prisma.ApiKeyWhereInput {
  if (search === undefined) return {};
  const byId = isUuid(search) ? [{ id: search }] : [];
  return { OR: [{ name: containing(search) }, { last4: search }, { prefix: search }, ...byId] };
}

function selectReached(authority: Authority): Prisma.ApiKeyWhereInput {
  if (authority.kind === 'organization-admin') return {};
  return { OR: [{ userId: authority.userId }, { groupId: { in: [...authority.adminOf] } }] };
}

/** Keys as callers read them, with what each has spent in this calendar month. */
export async function describeApiKeys(
  parts: RouteParts,
  organizationId: string,
  keys: readonly ApiKeyRow[],
): Promise<Record<string, unknown>[]> {
  const ids = keys.map(({ id }) => id);
  const spending = createSpendReader(parts.database.asOrganization(organizationId));
  const spend = await spending.readSpend('key', ids, parts.now());
  const lastUsed = await spending.readLastCounted('key', ids);
  const nowMs = parts.now();
  return keys.map((key) => describeApiKey(key, { nowMs, spentPico: spend.get(key.id)?.costPico ?? 0n, lastUsedAt: lastUsed.get(key.id) }));
}

type KeyFacts = { readonly nowMs: number; readonly spentPico: bigint; readonly lastUsedAt: Date | undefined };

/** A key that is past its time is refused like a revoked one, and says so; it stays listed so that it can be found and revoked. */
export function statusOf({ status, expiresAt }: Pick<ApiKeyRow, 'status' | 'expiresAt'>, nowMs: number): string {
  return status === 'active' && expiresAt !== null && expiresAt.getTime() <= nowMs ? 'expired' : status;
}

function describeApiKey(key: ApiKeyRow, used: KeyFacts): Record<string, unknown> {
  return {
    id: key.id,
    name: key.name,
    monthly_limit: limitToUsd(key.monthlyLimitPico),
    monthly_spend: picoToUsd(used.spentPico),
    permissions: { manage: key.permManage, completions: key.permCompletions, contents: key.permContents },
    labels: readLabels(key.labelSet),
    created_by: key.creator === null ? null : { id: key.creator.id, email: key.creator.email },
    group: key.groupId === null ? null : { id: key.groupId },
    access_list_id: key.accessListId,
    priority: key.priority,
    share: key.share,
    status: statusOf(key, used.nowMs),
    prefix: key.prefix,
    last4: key.last4,
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    last_used_at: used.lastUsedAt?.toISOString() ?? null,
  };
}

/** A key as the audit log keeps it: never the secret, nor its digest. */
export function auditApiKey(key: ApiKeyRow): Prisma.InputJsonObject {
  return {
    name: key.name,
    status: key.status,
    monthly_limit: limitToText(key.monthlyLimitPico),
    permissions: { manage: key.permManage, completions: key.permCompletions, contents: key.permContents },
    labels: readLabels(key.labelSet),
    priority: key.priority,
    share: key.share,
    owner_id: key.userId,
    group_id: key.groupId,
    access_list_id: key.accessListId,
    expires_at: key.expiresAt?.toISOString() ?? null,
    last4: key.last4,
  };
}

type ApiKeyChange = (tx: Prisma.TransactionClient, key: ApiKeyRow) => Promise<Prisma.ApiKeyUncheckedUpdateInput>;

/** Changes one key that is in force. The row is locked from the first look on, so that what is checked is what is changed. */
export async function changeApiKey(parts: ChangeParts, call: ChangeCaller & { id: string }, plan: ApiKeyChange): Promise<void> {
  const { id, organizationId } = call;
  await runChange(parts, call, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM api_key WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR UPDATE`;
    const before = await getApiKey(tx, organizationId, id);
    if (before.status !== 'active')
      throw new GatewayError('conflict', 'The API key is revoked; it cannot be changed any more. Create a new one.');
    if (before.isSession)
      throw new GatewayError('conflict', 'The key of a session cannot be changed; it ends by itself, or by revoking it.');
    const data = await plan(tx, before);
    const after = await tx.apiKey.update({ where: { id }, data: { ...data, version: { increment: 1 } }, include: withRelations });
    return {
      result: undefined,
      audit: { targetKind: 'api-key', targetId: id, before: auditApiKey(before), after: auditApiKey(after) },
      changed: [{ entity: 'api-key', entityId: id }],
    };
  });
}
