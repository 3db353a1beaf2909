import { limitScopeExpiry, parseLimitScope } from './limit-scope';

/** What a limit is about. A `group_member` is one person inside one group; its id is `<group>/<user>`. */
type SettingKind = MonthlyKind | 'balance';
export type MonthlyKind = 'key' | 'group_member' | 'group';

type ParsedScope = {
  readonly kind: SettingKind;
  /** Empty for the balance: an organization has one. */
  readonly id: string;
  /** UTC start of the month; null for the balance, which belongs to no month. */
  readonly monthStartMs: number | null;
};

export const BALANCE_SCOPE = 'balance';
const DAY_MS = 86_400_000;
/** What a scope is kept for after its month: the longest that an event may come late, and some days. */
const KEPT_AFTER_MONTH_MS = 40 * DAY_MS;

let known = { day: -1, month: '' };

/** The UTC month of a moment as `yyyy-mm`. Nothing is ever reset: another month is another scope. */
export function monthOf(atMs: number): string {
  const day = Math.floor(atMs / DAY_MS);
  if (known.day !== day) known = { day, month: new Date(atMs).toISOString().slice(0, 7) };
  return known.month;
}

/** The name of a scope, unique inside its organization: `<kind>:<id>:<yyyy-mm>`. */
export function monthlyScope(kind: MonthlyKind, id: string, atMs: number): string {
  return `${kind}:${id}:${monthOf(atMs)}`;
}

const MONTHLY = /^(key|group_member|group):([^:]+):(\d{4}-\d{2})$/;

/** Reads a name back; undefined for what is no scope. */
export function parseScope(name: string): ParsedScope | undefined {
  if (name === BALANCE_SCOPE) return { kind: 'balance', id: '', monthStartMs: null };
  const [, kind, id, month] = MONTHLY.exec(name) ?? [];
  if (kind === undefined || id === undefined || month === undefined) return undefined;
  return { kind: kind as MonthlyKind, id, monthStartMs: Date.parse(`${month}-01T00:00:00Z`) };
}

/** From when on nothing of a scope matters any more, in UTC epoch milliseconds; null for ever. */
export function scopeExpiry(name: string): number | null {
  const limit = parseLimitScope(name);
  if (limit !== undefined) return limitScopeExpiry(limit);
  const monthStartMs = parseScope(name)?.monthStartMs ?? null;
  if (monthStartMs === null) return null;
  const start = new Date(monthStartMs);
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1) + KEPT_AFTER_MONTH_MS;
}
