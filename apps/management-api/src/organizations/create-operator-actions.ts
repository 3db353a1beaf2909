import { randomUUID } from 'node:crypto';
import { addMemberBody, createApiKeyBody, turnShare, type FailPoint } from '@weir/contracts';
import {
  ensureUserAccount,
  postCredit,
  type Credit,
  type PostedCredit,
  type Prisma,
  type RerateAsk,
  type RerateResult,
} from '@weir/database';
import { GatewayError } from '@weir/errors';
import { formatUsd } from '@weir/pricing';
import { z } from 'zod';
import type { AuditActor } from '../route/audit-actor';
import { runChange, type ChangeCaller, type OwnerChangeParts } from '../changes/run-change';
import { parseBody } from '../bodies/parse-body';
import { createApiKeySecret, type KeyParts } from '../records/api-key-secret';
import { insertApiKey, planApiKey } from '../records/insert-api-key';
import { setOperatorOrganization } from './set-operator-organization';
import { setOrganizationShare } from './set-organization-share';
import { holdMembership } from '../records/members';
import { isUuid, notFound } from '../records/require-id';
import { createOrganization, type CreatedOrganization } from './create-organization';
import { findFirstOrganization, recoverKey, type RecoveredKey } from './recover-key';
import { rerateWithAudit } from './rerate-usage';

type OperatorParts = OwnerChangeParts & KeyParts & { readonly failPoint?: FailPoint };

/** What the operator may do without a key of any organization. Bodies are checked as the management interface checks them. */
export type OperatorActions = {
  /** `{ name, email? }`: with an e-mail, that person is its owner. */
  createOrganization(body: unknown): Promise<CreatedOrganization>;
  /** The body of `POST /v1/manage/apikey`; `member` is a member's e-mail address or id, without one the key is no one's. */
  createApiKey(organizationId: string, body: unknown, member?: string): Promise<{ apiKeyId: string; apiKey: string }>;
  /** `{ share }`: its weight among organizations that wait for a provider. */
  shareOrganization(organizationId: string, body: unknown): Promise<{ readonly organizationId: string; readonly share: number }>;
  /** Whether its administrators load what holds for all organizations, such as exchange rates. */
  setOperator(organizationId: string, isOperator: boolean): Promise<{ readonly organizationId: string; readonly isOperator: boolean }>;
  /** See recoverKey. */
  recoverKey(ask: RecoverAsk): Promise<RecoveredKey>;
  /** Moves money in or out of a balance; once, however often it is sent under the same idempotency key. */
  addBalance(credit: Credit): Promise<PostedCredit>;
  /** Prices usage again that was charged by a wrong price; of one organization or of all. */
  rerateUsage(ask: Omit<RerateAsk, 'actor'>): Promise<RerateResult>;
};

const shareOrganizationBody = z.strictObject({ share: turnShare });
const createOrganizationBody = z.strictObject({ name: z.string().min(1).max(200), email: addMemberBody.shape.email.optional() });

/** `organizationId` absent: the one that the gateway made at its first start. */
type RecoverAsk = { readonly organizationId?: string | undefined; readonly keepsLost: boolean };

/** `operator` is who the audit log names. */
export function createOperatorActions(parts: OperatorParts, operator: string): OperatorActions {
  const actor: AuditActor = { kind: 'operator', id: operator };
  const callAs = (organizationId: string, action: string): ChangeCaller => ({
    actor,
    organizationId,
    action,
    requestId: randomUUID(),
    ip: null,
  });
  const findOrganization = async (text: string): Promise<string> => {
    const found = isUuid(text) ? await parts.database.prisma.organization.findUnique({ where: { id: text }, select: { id: true } }) : null;
    if (found === null) throw new GatewayError('not_found', `There is no organization "${text.slice(0, 100)}".`);
    return found.id;
  };

  return {
    createOrganization: async (body) => {
      const { name, email } = parseBody(createOrganizationBody, body);
      const ownerId = email === undefined ? null : await ensureUserAccount(parts.database.prisma, { email: email.toLowerCase() });
      return createOrganization(parts, { actor, requestId: randomUUID(), ip: null }, { name, ownerId });
    },
    createApiKey: async (text, body, member) => {
      const wanted = parseBody(createApiKeyBody, body);
      const organizationId = await findOrganization(text);
      const secret = createApiKeySecret(parts);
      const key = planApiKey(wanted, { organizationId, userId: null, nowMs: parts.now() });
      const apiKeyId = await runChange(parts, callAs(organizationId, 'create-api-key'), async (tx) => {
        const userId = await findMember(tx, { organizationId, member: member ?? wanted.member_id ?? undefined });
        return insertApiKey(tx, { ...key, userId }, secret);
      });
      return { apiKeyId, apiKey: secret.secret };
    },
    shareOrganization: async (text, body) => {
      const { share } = parseBody(shareOrganizationBody, body);
      const organizationId = await findOrganization(text);
      await setOrganizationShare(parts, callAs(organizationId, 'share-organization'), share);
      return { organizationId, share };
    },
    setOperator: async (text, isOperator) => {
      const organizationId = await findOrganization(text);
      await setOperatorOrganization(parts, callAs(organizationId, 'set-operator'), isOperator);
      return { organizationId, isOperator };
    },
    recoverKey: async ({ organizationId, keepsLost }) => {
      const found = organizationId === undefined ? await findFirstOrganization(parts) : await findOrganization(organizationId);
      return recoverKey(parts, callAs(found, 'recover-api-key'), keepsLost);
    },
    addBalance: async (credit) => {
      const organizationId = await findOrganization(credit.organizationId);
      const posted = await postCredit(parts.database.pool, { ...credit, organizationId });
      if (posted.isNew) await auditCredit(parts, callAs(organizationId, 'add-balance'), credit, posted);
      return posted;
    },
    rerateUsage: async (ask) => {
      const { organizationId } = ask.criteria;
      if (organizationId !== null) await findOrganization(organizationId);
      return rerateWithAudit(parts, { ...ask, actor: operator }, callAs);
    },
  };
}

/** Who then stays a member until the transaction ends; null when no one is named. */
async function findMember(
  tx: Prisma.TransactionClient,
  { organizationId, member }: { readonly organizationId: string; readonly member: string | undefined },
): Promise<string | null> {
  if (member === undefined) return null;
  const asked = member.toLowerCase();
  const user = isUuid(asked) ? { id: asked } : { email: asked };
  const found = await tx.userAccount.findFirst({ where: user, select: { id: true } });
  if (found === null || !(await holdMembership(tx, { organizationId, userId: found.id }))) throw notFound('member', member);
  return found.id;
}

/** After the posting, which is its own proof: a crash in between leaves the ledger right and the audit log a line short. */
async function auditCredit(parts: OperatorParts, caller: ChangeCaller, credit: Credit, posted: PostedCredit): Promise<void> {
  const { organizationId } = caller;
  const after = {
    kind: credit.kind,
    amount: formatUsd(credit.amountPico),
    transaction_id: posted.transactionId,
    balance: formatUsd(posted.balance.totalPico),
  };
  await runChange(parts, caller, () =>
    Promise.resolve({
      result: undefined,
      audit: { targetKind: 'organization', targetId: organizationId, before: null, after },
      // The posting is in the change log already; here it is for the notice, which makes edges look at once.
      changed: [{ entity: 'organization', entityId: organizationId }],
    }),
  );
}
