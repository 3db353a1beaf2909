import type { PolicyDocument } from '@weir/contracts';
import { CAPABILITIES, encodeModelRecord, type ManagedPolicy, type ModelCatalog, type ModelRecord } from '@weir/model-catalog';
import { POLICY_PREFIX } from '@weir/routing';
import type { ListPlan } from './plan-list';

export type NamedRoutesParts = {
  readonly catalog: Pick<ModelCatalog, 'find'>;
  readonly managed: readonly ManagedPolicy[];
};

export type NamedRoutes = {
  /** What requests may name as their model beside models, by id, each as JSON text. */
  readonly records: ReadonlyMap<string, string>;
  /** Whether a name was given by the organization: it stands for what that says and for no model, were it of no use. */
  readonly isGiven: (id: string) => boolean;
};

const NO_NAMED_ROUTES: NamedRoutes = { records: new Map(), isGiven: () => false };

type Owner = 'organization' | 'weir';

type FindModel = (id: string, names: readonly string[]) => ModelRecord | undefined;

/** The aliases and policies of a caller that lead to at least one model that it may use here. All of them are for chat. */
export function listNamedRoutes({ principal, isShown, reach }: ListPlan, { catalog, managed }: NamedRoutesParts): NamedRoutes {
  if (principal === undefined) return NO_NAMED_ROUTES;
  const { routes } = reach;
  const builtIn = managed.filter(({ name }) => !routes.policies.has(name));
  const policies = new Map([...builtIn.map(({ name, document }) => [name, document] as const), ...routes.policies]);
  const find: FindModel = (id, names) => {
    const record = catalog.find(id);
    return record?.modality === 'chat' && isShown(record, names) ? record : undefined;
  };
  const named = [
    ...[...routes.aliases].map(([id, target]) => ({ id, target, owner: 'organization' as Owner, about: `Stands for ${target}.` })),
    ...[...routes.policies.keys()].map((name) => describePolicy(name, 'organization')),
    ...builtIn.map(({ name, description }) => describePolicy(name, 'weir', description)),
  ];
  const records = new Map(
    named.flatMap(({ id, target, ...reported }) => {
      const [first, ...others] = listMembers([id, target], policies, find);
      return first === undefined ? [] : [[id, encodeNamed({ id, ...reported }, [first, ...others])] as const];
    }),
  );
  return { records, isGiven: (id) => routes.aliases.has(id) };
}

function describePolicy(name: string, owner: Owner, about = 'A policy of the organization.') {
  const id = `${POLICY_PREFIX}${name}`;
  return { id, target: id, owner, about };
}

/** The models that a name may lead to, in the order of its policies; each policy is looked at once, for they may name one another. */
function listMembers(
  [name, target]: readonly [string, string],
  policies: ReadonlyMap<string, PolicyDocument>,
  find: FindModel,
): ModelRecord[] {
  const seen = new Set<string>();
  const collect = (id: string, policyId: string): ModelRecord[] => {
    // As requests are: by the name that was asked for, what it stands for, and the policy that holds the model.
    if (!id.startsWith(POLICY_PREFIX)) return [find(id, [name, target, policyId]) ?? []].flat();
    if (seen.has(id)) return [];
    seen.add(id);
    return policies.get(id.slice(POLICY_PREFIX.length))?.models.flatMap(({ model }) => collect(model, id)) ?? [];
  };
  return [...new Set(collect(target, target))];
}

type Named = { readonly id: string; readonly owner: Owner; readonly about: string };

/** What a vendor says of one model; of several only as far as it is said of each. */
const SAID_OF_EACH = [
  'data_retention',
  'data_retention_days',
  'data_used_for_training',
  'privacy_comments',
  'geolocation',
  'open_weights',
  'model_lab',
  'model_canonical_name',
  'family',
];
/** What texts say where it differs; flags and numbers are left out. */
const IN_DOUBT: Readonly<Record<string, string>> = { privacy_comments: 'unknown', geolocation: 'unknown' };
/** Members that are said of one model only. */
const OF_ONE: ReadonlySet<string> = new Set(['retires', 'quantization', 'discount_percentage']);

/** A record with the members that clients look for: what all its models can do and promise, and the first one's prices. */
function encodeNamed({ id, owner, about }: Named, records: readonly [ModelRecord, ...ModelRecord[]]): string {
  const [first, ...others] = records.map((record) => JSON.parse(encodeModelRecord(record)) as Record<string, unknown>);
  const said = SAID_OF_EACH.map((name) => [name, others.every((other) => other[name] === first?.[name]) ? first?.[name] : IN_DOUBT[name]]);
  const kept = Object.entries(first ?? {}).filter(([name]) => others.length === 0 || !OF_ONE.has(name));
  const flags = CAPABILITIES.map((one) => [`supports_${one}`, records.every(({ supports }) => supports.includes(one))]);
  return JSON.stringify({
    ...Object.fromEntries([...kept, ...said]),
    id,
    owned_by: owner,
    description: about,
    context_window: findLeast(records.map(({ contextWindow }) => contextWindow)),
    max_output_tokens: findLeast(records.map(({ maxOutputTokens }) => maxOutputTokens)),
    ...Object.fromEntries(flags),
  });
}

function findLeast(counts: readonly (number | null)[]): number | undefined {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? undefined : Math.min(...known);
}
