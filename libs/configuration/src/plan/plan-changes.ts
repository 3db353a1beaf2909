import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../document/problem';
import { keyOf, type CurrentObject, type DesiredObject, type Fields } from './configuration-object';
import { KINDS } from './kinds';
import type { Coverage } from './list-desired';
import { orderSteps } from './order-steps';
import type { Claim, FieldChange, Step } from './step';

export type Plan = { readonly steps: readonly Step[]; readonly claims: readonly Claim[]; readonly problems: readonly Problem[] };

export type PlanOptions = {
  /** The `metadata.name` of the document. */
  readonly configuration: string;
  readonly coverage: Coverage;
  readonly prune: boolean;
  readonly adopt: boolean;
};

/** What has to be done so that the organization has what the document lists. */
export function planChanges(current: readonly CurrentObject[], desired: readonly DesiredObject[], options: PlanOptions): Plan {
  const known = new Map(current.map((object) => [keyOf(object), object]));
  const wanted = new Set(desired.map(keyOf));
  const plans = [
    ...desired.map((object) => planOne(known.get(keyOf(object)), object, options)),
    ...current.filter((object) => !wanted.has(keyOf(object))).map((object) => planUnlisted(object, options)),
  ];
  return {
    steps: orderSteps(plans.flatMap(({ steps = [] }) => steps)),
    claims: plans.flatMap(({ claims = [] }) => claims),
    problems: plans.flatMap(({ problems = [] }) => problems),
  };
}

function planOne(there: CurrentObject | undefined, wanted: DesiredObject, options: PlanOptions): Partial<Plan> {
  const { kind, name, path, fields } = wanted;
  if (there === undefined) return { steps: [{ action: 'create', kind, name, path, fields, changes: describeNew(fields) }] };
  const problems = [...findConflict(there, wanted, options)];
  const changes = compareFields(there, wanted);
  problems.push(...findFixed(changes, wanted));
  if (problems.length > 0) return { problems };
  const claims = claimFor(there, options);
  if (changes.length > 0) {
    const changed = Object.fromEntries(changes.map(({ field, after }) => [field, after]));
    return {
      steps: [{ action: 'update', kind, name, path, id: there.id, fields: KINDS[kind].isWhole ? fields : changed, changes }],
      claims,
    };
  }
  const isSeen = claims.length > 0 && options.adopt;
  return { steps: isSeen ? [{ action: 'adopt', kind, name, path, id: there.id, fields: {}, changes: [] }] : [], claims };
}

function describeNew(fields: Fields): FieldChange[] {
  return Object.entries(fields).map(([field, after]) => ({ field, before: undefined, after }));
}

function findConflict({ owner }: CurrentObject, { kind, name, path }: DesiredObject, { configuration, adopt }: PlanOptions): Problem[] {
  if (owner === undefined || owner.configuration === configuration || adopt) return [];
  const message = `the ${KINDS[kind].word} "${name}" belongs to the configuration "${owner.configuration}"; list it in one of them only, or take it over with \`adopt\``;
  return [{ path, message }];
}

/** Only what was made by hand or taken over is claimed here; what is made now is when it is there. */
function claimFor({ kind, name, id, owner }: CurrentObject, { configuration, adopt }: PlanOptions): Claim[] {
  const isMade = adopt ? KINDS[kind].isRemovable : owner?.configuration === configuration && owner.isMade;
  if (owner?.configuration === configuration && owner.isMade === isMade) return [];
  return [{ kind, name, id, owner: { configuration, isMade } }];
}

/** Fields of which the document says something else than the organization has. */
function compareFields({ fields: there }: CurrentObject, { kind, fields: wanted }: DesiredObject): FieldChange[] {
  const { isWhole, onlyNew } = KINDS[kind];
  const names = isWhole ? [...new Set([...Object.keys(wanted), ...Object.keys(there)])] : Object.keys(wanted);
  return names
    .filter((field) => !onlyNew.includes(field) && !isDeepStrictEqual(there[field], wanted[field]))
    .map((field) => ({ field, before: there[field], after: wanted[field] }));
}

function findFixed(changes: readonly FieldChange[], { kind, name, path }: DesiredObject): Problem[] {
  const { word, fixed } = KINDS[kind];
  return changes
    .filter(({ field }) => fixed.includes(field))
    .map(({ field, before }) => ({
      path: `${path}.${field}`,
      message: `the ${word} "${name}" has ${JSON.stringify(before ?? null)} here, which cannot be changed; give the new one another name`,
    }));
}

/** What the document does not list, in sections that it has. */
function planUnlisted(object: CurrentObject, options: PlanOptions): Partial<Plan> {
  const { kind, name, id, owner, fields } = object;
  if (owner?.configuration !== options.configuration || !isCovered(object, options)) return {};
  if (!owner.isMade) return { claims: [{ kind, name, id, owner: null }] };
  return options.prune && KINDS[kind].isRemovable ? { steps: [{ action: 'delete', kind, name, id, fields, changes: [] }] } : {};
}

function isCovered({ kind, fields }: CurrentObject, { coverage }: PlanOptions): boolean {
  if (kind !== 'group_member') return coverage.kinds.has(kind);
  return coverage.groupsWithMembers.has(String(fields['group']));
}
