import type { Prisma } from '@weir/database';
import { runChange, type ChangeCaller } from '../changes/run-change';
import type { RouteParts } from '../route/management-parts';
import { selectPage, type PagePlan } from './pages';
import { notFound } from './require-id';

export type RuleKind = 'policy' | 'alias' | 'guardrail' | 'limit';
export type RuleRow = Prisma.OrganizationRuleGetPayload<object>;
type Transaction = Prisma.TransactionClient;

/** Policies and aliases are known by their names, guardrails and limits by their ids. */
export type RuleAddress = { readonly kind: RuleKind } & ({ readonly name: string } | { readonly id: string });

/** A rule as a body describes it, without its name. Defaults are filled in, absent members absent. */
type RuleDocument = Prisma.InputJsonObject;

export async function getRule(tx: Transaction, organizationId: string, address: RuleAddress): Promise<RuleRow> {
  const rule = await tx.organizationRule.findFirst({ where: { organizationId, ...address } });
  if (rule === null) throw notFound(address.kind, 'name' in address ? address.name : address.id);
  return rule;
}

export async function listRules(tx: Transaction, at: { organizationId: string; kind: RuleKind }, plan: PagePlan): Promise<RuleRow[]> {
  const { where, ...page } = selectPage(plan, 'id');
  return tx.organizationRule.findMany({ where: { ...at, ...where }, ...page });
}

/** A rule as callers and the audit log see it. */
export function describeRule(rule: RuleRow): Prisma.InputJsonObject {
  return {
    id: publicId(rule),
    name: rule.name,
    ...(rule.document as Prisma.InputJsonObject),
    version: rule.version,
    created_at: rule.createdAt.toISOString(),
    updated_at: rule.updatedAt.toISOString(),
  };
}

/** What a rule is called outside: what requests name as their model, where they can. */
export function publicId({ kind, id, name }: Pick<RuleRow, 'kind' | 'id' | 'name'>): string {
  if (kind === 'guardrail' || kind === 'limit') return id;
  return kind === 'policy' ? `policy/${name}` : name;
}

type NewRule = {
  readonly kind: RuleKind;
  readonly name: string;
  readonly document: RuleDocument;
  /** Looks at what the rule refers to; nothing it refers to can go away before the rule is there. */
  readonly check: (tx: Transaction) => Promise<void>;
};

/** Returns the new rule. */
export async function createRule(parts: RouteParts, call: ChangeCaller, rule: NewRule): Promise<RuleRow> {
  const { organizationId } = call;
  const { kind, name, document } = rule;
  return runChange(parts, call, async (tx) => {
    await lockRules(tx, organizationId);
    await rule.check(tx);
    const after = await tx.organizationRule.create({ data: { organizationId, kind, name, document } });
    await keepVersion(tx, after);
    return describeChange({ before: null, after, kind });
  });
}

type RuleReplacement = { readonly address: RuleAddress } & Pick<NewRule, 'document' | 'check'> & Partial<Pick<NewRule, 'name'>>;

/** Gives a rule its next version; the ones before stay readable. */
export async function replaceRule(parts: RouteParts, call: ChangeCaller, rule: RuleReplacement): Promise<RuleRow> {
  const { organizationId } = call;
  const { address, document } = rule;
  return runChange(parts, call, async (tx) => {
    await lockRules(tx, organizationId);
    const before = await getRule(tx, organizationId, address);
    await rule.check(tx);
    const name = rule.name ?? before.name;
    const after = await tx.organizationRule.update({ where: { id: before.id }, data: { document, name, version: { increment: 1 } } });
    await keepVersion(tx, after);
    return describeChange({ before, after, kind: address.kind });
  });
}

export async function deleteRule(
  parts: RouteParts,
  call: ChangeCaller,
  rule: { readonly address: RuleAddress; readonly check?: (tx: Transaction) => Promise<void> },
): Promise<void> {
  const { organizationId } = call;
  await runChange(parts, call, async (tx) => {
    await lockRules(tx, organizationId);
    const before = await getRule(tx, organizationId, rule.address);
    await rule.check?.(tx);
    await tx.organizationRule.delete({ where: { id: before.id } });
    return describeChange({ before, after: null, kind: rule.address.kind });
  });
}

/** Rules refer to one another by name, which no foreign key watches over: their changes wait for each other instead. */
export async function lockRules(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`rules:${organizationId}`}, 0))`;
}

async function keepVersion(tx: Transaction, rule: RuleRow): Promise<void> {
  const { id: ruleId, version, organizationId, kind, name, document } = rule;
  await tx.organizationRuleVersion.create({
    data: { ruleId, version, organizationId, kind, name, document: document as Prisma.InputJsonObject },
  });
}

function describeChange<After extends RuleRow | null>({ before, after, kind }: { before: RuleRow | null; after: After; kind: RuleKind }) {
  const { id } = (after ?? before) as RuleRow;
  return {
    result: after,
    audit: {
      targetKind: kind,
      targetId: publicId((after ?? before) as RuleRow),
      before: before && describeRule(before),
      after: after && describeRule(after),
    },
    changed: [{ entity: kind, entityId: id }],
  };
}
