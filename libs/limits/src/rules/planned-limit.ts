import type { LimitAction, LimitMeasure, LimitScope, LimitWindow } from '@weir/contracts';
import type { ReserveLimit } from '../holds/hold-store';

/** What a limit comes from: a setting of a key, a group, a member or the organization's balance, or a row of the organization's limits. */
export type LimitKind = 'key' | 'group_member' | 'group' | 'balance' | 'limit';

/** One limit that a request must fit under. */
export type PlannedLimit = ReserveLimit & {
  readonly kind: LimitKind;
  /** Of the kind `limit`. */
  readonly rule?: PlannedRule;
};

/** A row of the organization's limits, as it binds one request. */
export type PlannedRule = {
  readonly limitId: string;
  readonly name: string;
  readonly scope: LimitScope;
  readonly measure: LimitMeasure;
  readonly window: LimitWindow | null;
  /** Whom it is about, for people: `key "crawler"`, `end user "u-1"`, `label team=research`. */
  readonly about: string;
  /** Of the limit, also where it only counts. */
  readonly amount: bigint;
  /** End of the calendar window, next step of a rolling one; null for `total` and what runs at a moment. UTC epoch milliseconds. */
  readonly freesAtMs: number | null;
  readonly action: LimitAction;
  readonly fallbackModel: string | null;
  /** Per attempt whether it counts; null: all do. */
  readonly counted: readonly boolean[] | null;
};
