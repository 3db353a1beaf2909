import { OTHER_VALUE, SERIES_LIMITS } from '@weir/usage';

export type ExtraValue = { readonly organizationId: string; readonly dayMs: number; readonly field: string; readonly value: string };

/** What has been decided. */
export type KnownExtra = {
  /** Registered fields, by organization. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** Values that stand for themselves, by `extraKey`. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
  /** Bounds that are reached and recorded as met, by `boundKey`. */
  readonly full: ReadonlySet<string>;
};

/** A bound that something new went beyond. */
export type BoundMet = {
  readonly organizationId: string;
  readonly dayMs: number;
  readonly bound: 'fields' | 'values' | 'series';
  /** Whose values they are; empty for fields and series. */
  readonly field: string;
};

export type ExtraPlan = {
  /** What is known once the plan is carried out. */
  readonly known: KnownExtra;
  /** New values that stand for themselves, and with them their fields. */
  readonly added: readonly ExtraValue[];
  readonly met: readonly BoundMet[];
};

export function extraKey(organizationId: string, dayMs: number, field: string): string {
  return `${organizationId} ${dayMs} ${field}`;
}

export function boundKey({ organizationId, dayMs, bound, field }: BoundMet): string {
  return `${bound} ${extraKey(organizationId, dayMs, field)}`;
}

/** Adds what is new in order of arrival, until a bound is reached. */
export function planExtra(known: KnownExtra, wanted: readonly ExtraValue[]): ExtraPlan {
  const fields = new Map([...known.fields].map(([id, set]) => [id, new Set(set)]));
  const values = new Map([...known.values].map(([key, set]) => [key, new Set(set)]));
  const added: ExtraValue[] = [];
  const met = new Map<string, BoundMet>();
  for (const one of wanted) {
    const bound = takeIn(one, setOf(fields, one.organizationId), setOf(values, extraKey(one.organizationId, one.dayMs, one.field)));
    if (bound === 'added') added.push(one);
    else if (bound !== 'known') {
      const { organizationId, dayMs, field } = one;
      const boundMet: BoundMet = { organizationId, dayMs, bound, field: bound === 'values' ? field : '' };
      met.set(boundKey(boundMet), boundMet);
    }
  }
  return { known: { fields, values, full: new Set([...known.full, ...met.keys()]) }, added, met: [...met.values()] };
}

function takeIn({ field, value }: ExtraValue, fields: Set<string>, values: Set<string>): 'added' | 'known' | 'fields' | 'values' {
  if (!fields.has(field) && fields.size >= SERIES_LIMITS.extraFieldsMax) return 'fields';
  fields.add(field);
  if (values.has(value)) return 'known';
  if (value !== OTHER_VALUE && values.size >= SERIES_LIMITS.extraValuesPerDayMax) return 'values';
  // The folded value does not count towards the bound. It is recorded so that its field is recorded.
  values.add(value);
  return 'added';
}

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  const present = sets.get(key) ?? new Set<string>();
  sets.set(key, present);
  return present;
}
