import type { Limit, LimitFill, Scope } from './limits-queries';

type Labels = Readonly<Record<string, string>>;

/** A key, a group or a member, with what limits may be about. */
export type Bound = {
  readonly keyId?: string;
  readonly groupId?: string | undefined;
  readonly memberId?: string | undefined;
  readonly keyLabels?: Labels;
  readonly groupLabels?: Labels | undefined;
};

/** A limit, with what this one has used of it where it is counted apart. */
export type BindingLimit = {
  readonly limit: Limit;
  /** Only the fullest are known, and this one is not among them: what it has used is not known. */
  readonly isUnknown: boolean;
};

/** As many of the fullest as the interface returns. */
const FILLS_MAX = 5;

/** Limits that bind all or some of its requests. */
export function listBinding(limits: readonly Limit[], bound: Bound): BindingLimit[] {
  return limits.filter((limit) => BINDS[limit.scope](limit, bound)).map((limit) => keepOwn(limit, bound));
}

const isOne = (named: string | undefined, own: string | undefined): boolean => own !== undefined && (named === undefined || named === own);

function hasLabel({ label = '', value }: Limit, labels: Labels = {}): boolean {
  return Object.hasOwn(labels, label) && (value === undefined || labels[label] === value);
}

const BINDS: Readonly<Record<Scope, (limit: Limit, bound: Bound) => boolean>> = {
  organization: () => true,
  key: ({ api_key_id: named }, { keyId }) => isOne(named, keyId),
  group: ({ group_id: named }, { groupId }) => isOne(named, groupId),
  member: ({ member_id: named }, { memberId }) => isOne(named, memberId),
  // Of which end users requests are is not known before they come.
  end_user: () => false,
  api_key_label: (limit, { keyLabels }) => hasLabel(limit, keyLabels),
  group_label: (limit, { groupLabels }) => hasLabel(limit, groupLabels),
};

/** The fullest of all others says nothing of this one. */
function keepOwn(limit: Limit, bound: Bound): BindingLimit {
  const { usage = [] } = limit;
  const own = usage.filter((fill) => isOwn(limit, fill, bound));
  return { limit: { ...limit, usage: own }, isUnknown: own.length === 0 && usage.length >= FILLS_MAX };
}

function isOwn({ label = '' }: Limit, { of }: LimitFill, { keyId, groupId, memberId, keyLabels = {}, groupLabels = {} }: Bound): boolean {
  if (of === null) return true;
  // Values of labels are kept under digests; the interface returns their names beside.
  if (of.scope === 'api_key_label') return of.name !== null && of.name === keyLabels[label];
  if (of.scope === 'group_label') return of.name !== null && of.name === groupLabels[label];
  return of.id !== null && [keyId, groupId, memberId].includes(of.id);
}
