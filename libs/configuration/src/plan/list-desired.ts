import type { ConfigurationDocument } from '@weir/contracts';
import { keyOf, type ConfigurationKind, type DesiredObject, type Fields } from './configuration-object';
import { KINDS } from './kinds';
import type { Problem } from '../document/problem';

/** Which names a section covers: what is not listed of these may be taken away. */
export type Coverage = { readonly kinds: ReadonlySet<ConfigurationKind>; readonly groupsWithMembers: ReadonlySet<string> };

type Listed = { readonly objects: readonly DesiredObject[]; readonly coverage: Coverage; readonly problems: readonly Problem[] };

/** Sections whose entries are objects as they stand. */
const PLAIN = [
  'member',
  'policy',
  'alias',
  'access_list',
  'key',
  'guardrail',
  'limit',
  'alert',
  'provider_credential',
] as const satisfies readonly ConfigurationKind[];

/** Every object that a document lists, and what is wrong between them. */
export function listDesired(document: ConfigurationDocument): Listed {
  const objects = [
    ...Object.entries(document.settings ?? {}).map(([name, value]) =>
      desire('setting', name, `settings.${name}`, normalizeSetting(name, value)),
    ),
    ...PLAIN.flatMap((kind) =>
      entriesOf(document, kind).map((entry, index) =>
        desire(kind, nameOf(kind, entry), `${KINDS[kind].section}.${index}`, normalize(kind, entry)),
      ),
    ),
    ...(document.groups ?? []).flatMap((group, index) => listGroup(group, `groups.${index}`)),
  ];
  return { objects, coverage: coverageOf(document), problems: findRepeated(objects) };
}

/** Credentials are distinguished by their provider, too; one without a name has that of its provider. */
function nameOf(kind: ConfigurationKind, { email, name, provider }: Fields): string {
  if (kind === 'provider_credential') return `${String(provider)}/${String(name ?? provider)}`;
  return String(kind === 'member' ? email : name);
}

function desire(kind: ConfigurationKind, name: string, path: string, fields: Fields): DesiredObject {
  return { kind, name, path, fields: withoutUndefined(fields) };
}

function entriesOf(document: ConfigurationDocument, kind: ConfigurationKind): readonly Fields[] {
  return ((document as Fields)[KINDS[kind].section] ?? []) as readonly Fields[];
}

function listGroup({ members = [], ...group }: Fields, path: string): DesiredObject[] {
  const name = String(group['name']);
  return [
    desire('group', name, path, normalize('group', group)),
    ...(members as readonly Fields[]).map((member, index) => {
      const fields = { ...normalize('group_member', member), group: name };
      return desire('group_member', `${name}/${String(member['email'])}`, `${path}.members.${index}`, fields);
    }),
  ];
}

/** Fields of money for which null and 0 mean the same. */
const UNLIMITED: Partial<Record<ConfigurationKind, readonly string[]>> = {
  group: ['monthly_limit', 'monthly_budget', 'monthly_budget_per_user'],
  key: ['monthly_limit'],
  group_member: ['rate_limit'],
};

/** One way of saying what can be said in several. */
function normalize(kind: ConfigurationKind, fields: Fields): Fields {
  const unlimited = Object.fromEntries((UNLIMITED[kind] ?? []).filter((field) => fields[field] === null).map((field) => [field, 0]));
  if (kind === 'access_list') return withoutRepeated(fields);
  if (kind !== 'key') return { ...fields, ...unlimited };
  const { permissions, expires_at: expiresAt } = fields;
  return {
    ...fields,
    ...unlimited,
    ...(permissions === undefined
      ? {}
      : { permissions: { manage: 'none', completions: 'write', contents: 'none', ...(permissions as Fields) } }),
    ...(typeof expiresAt === 'string' ? { expires_at: new Date(expiresAt).toISOString() } : {}),
  };
}

/** Null is what holds where nothing was said. */
function normalizeSetting(name: string, value: unknown): Fields {
  return { value: name === 'time_zone' && value === null ? 'UTC' : value };
}

/** A pattern that stands twice in a list is kept once. */
function withoutRepeated(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, Array.isArray(value) ? [...new Set(value as unknown[])] : value]),
  );
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function coverageOf(document: ConfigurationDocument): Coverage {
  const kinds = (Object.keys(KINDS) as ConfigurationKind[]).filter((kind) => (document as Fields)[KINDS[kind].section] !== undefined);
  const groups = (document.groups ?? []) as readonly Fields[];
  const withMembers = groups.filter(({ members }) => members !== undefined).map(({ name }) => String(name));
  return { kinds: new Set(kinds), groupsWithMembers: new Set(withMembers) };
}

function findRepeated(objects: readonly DesiredObject[]): Problem[] {
  const seen = new Map<string, string>();
  return objects.flatMap((object) => {
    const first = seen.get(keyOf(object));
    if (first === undefined) {
      seen.set(keyOf(object), object.path);
      return [];
    }
    return [{ path: object.path, message: `the ${KINDS[object.kind].word} "${object.name}" stands here and at ${first}; list it once` }];
  });
}
