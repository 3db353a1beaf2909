import type { ConfigurationKind, Fields } from '@weir/configuration';
import type { FoundObject, Reading } from './found-object';

/** What documents call ids in rules, and what they are ids of. */
const ID_FIELDS: Readonly<Record<string, ConfigurationKind>> = { api_key_id: 'key', group_id: 'group', member_id: 'member' };
const KINDS_OF_RULES = ['policy', 'alias', 'guardrail', 'limit'] as const;

/** Policies, aliases, guardrails and limits. */
export async function readRules({ tx, organizationId }: Reading): Promise<FoundObject[]> {
  const rules = await tx.organizationRule.findMany({ where: { organizationId }, orderBy: { createdAt: 'asc' } });
  return rules.flatMap(({ id, kind, name, document }) => {
    const known = KINDS_OF_RULES.find((each) => each === kind);
    if (known === undefined) return [];
    return [
      {
        kind: known,
        id,
        ownName: name,
        fields: { name, ...renameIds(document as Fields) },
        references: { key: 'key', group: 'group', member: 'member' },
      },
    ];
  });
}

export function renameIds(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [ID_FIELDS[field] ?? field, value]));
}
