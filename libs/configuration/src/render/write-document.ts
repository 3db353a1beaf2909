import { CONFIGURATION_KIND, CONFIGURATION_VERSION } from '@weir/contracts';
import type { ConfigurationKind, CurrentObject, Fields } from '../plan/configuration-object';
import { KIND_ORDER, KINDS } from '../plan/kinds';

/**
 * What an organization has, as a document that would change nothing of it: without what other configurations look after, which two
 * may not list. What stands for a secret says where to put it.
 */
export function writeDocument(current: readonly CurrentObject[], name: string): Record<string, unknown> {
  const own = current.filter(({ owner }) => owner === undefined || owner.configuration === name);
  const of = (kind: ConfigurationKind): readonly CurrentObject[] => own.filter((object) => object.kind === kind);
  const settings = Object.fromEntries(of('setting').map(({ name: field, fields }) => [field, fields['value']]));
  const lists = KIND_ORDER.filter((kind) => kind !== 'setting' && kind !== 'group_member').map((kind) => {
    const entries = of(kind).map((object) => (kind === 'group' ? withMembers(object, of('group_member')) : writeEntry(object)));
    return [KINDS[kind].section, entries] as const;
  });
  return {
    apiVersion: CONFIGURATION_VERSION,
    kind: CONFIGURATION_KIND,
    metadata: { name },
    settings,
    ...Object.fromEntries(lists.filter(([, entries]) => entries.length > 0)),
  };
}

function writeEntry({ kind, name, fields }: CurrentObject): Fields {
  // A name that several share is distinguished by what the document calls it.
  if (kind === 'member' || kind === 'group_member') return fields;
  if (kind === 'provider_credential') return writeAccount(fields);
  return { ...fields, name, ...(holdsSecret(fields['url']) ? { url: placeFor(`${name}_url`) } : {}) };
}

/** A credential names variables in place of its secrets, for a person to fill in. */
function writeAccount({ account, ...fields }: Fields): Fields {
  const provider = String(fields['provider']);
  const places = Object.fromEntries(Object.keys(account as Fields).map((field) => [field, placeFor(`${provider}_${field}`)]));
  const isOneKey = Object.keys(places).join() === 'api_key';
  return { ...fields, ...(isOneKey ? places : { fields: places }) };
}

function placeFor(words: string): { readonly env: string } {
  return {
    env: words
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^(?=\d)/, '_'),
  };
}

function holdsSecret(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'secret' in value;
}

function withMembers(group: CurrentObject, members: readonly CurrentObject[]): Fields {
  const { monthly_limit: limit, ...fields } = writeEntry(group);
  const own = members.filter((member) => member.fields['group'] === group.name);
  return {
    ...fields,
    // In group budget mode it is another word for the budget.
    ...(limit === undefined || 'monthly_budget' in fields ? {} : { monthly_limit: limit }),
    ...(own.length === 0 ? {} : { members: own.map(({ fields: { group: _, ...rest } }) => rest) }),
  };
}
