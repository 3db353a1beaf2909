import type { LimitMeasure } from '@weir/contracts';
import type { ScopeBase, ScopeConfirmation, ScopeState } from '../hold-store';
import { isConcurrent, measureOfScope } from '../limit-scope';
import { scopeExpiry } from '../scope-name';

type Open = { readonly amount: bigint; expiresAtMs: number };

/** What is taken of one scope, in the memory of this process. */
export type Scope = {
  readonly measure: LimitMeasure;
  /** Of what runs at a moment. */
  readonly isConcurrent: boolean;
  /** From then on nothing of it matters any more. */
  readonly overAtMs: number;
  isSeeded: boolean;
  base: bigint;
  version: bigint;
  settledSum: bigint;
  openSum: bigint;
  /** These three together: many are added up for a rolling window. */
  taken: bigint;
  readonly settled: Map<string, bigint>;
  readonly open: Map<string, Open>;
  /** No open hold expires before this. */
  quietUntilMs: number;
  /** No hold was ever to last longer than this. */
  usedUntilMs: number;
};

/** Since when a hold has to have expired to be no one's. */
export type Expiry = { readonly nowMs: number; readonly writers: ReadonlyMap<string, number> };

export function createScope(name: string): Scope {
  const measure = measureOfScope(name);
  return {
    ...{ measure, isConcurrent: isConcurrent(measure), overAtMs: scopeExpiry(name) ?? Infinity },
    ...{ isSeeded: false, base: 0n, version: -1n, settledSum: 0n, openSum: 0n, taken: 0n },
    ...{ settled: new Map(), open: new Map(), quietUntilMs: Infinity, usedUntilMs: -Infinity },
  };
}

/** Holds an amount, or goes on holding what is held already. */
export function addOpen(scope: Scope, holdId: string, { amount, expiresAtMs }: Open): void {
  const held = scope.open.get(holdId);
  if (held === undefined) {
    scope.open.set(holdId, { amount, expiresAtMs });
    scope.openSum += amount;
    scope.taken += amount;
  } else {
    held.expiresAtMs = expiresAtMs;
  }
  if (expiresAtMs < scope.quietUntilMs) scope.quietUntilMs = expiresAtMs;
  if (expiresAtMs > scope.usedUntilMs) scope.usedUntilMs = expiresAtMs;
}

export function removeOpen(scope: Scope, holdId: string): boolean {
  const held = scope.open.get(holdId);
  if (held === undefined) return false;
  scope.open.delete(holdId);
  scope.openSum -= held.amount;
  scope.taken -= held.amount;
  return true;
}

export function addSettled(scope: Scope, holdId: string, spent: bigint): void {
  if (spent === 0n) return;
  scope.settled.set(holdId, spent);
  scope.settledSum += spent;
  scope.taken += spent;
}

export function giveBackExpired(scope: Scope, { nowMs, writers }: Expiry): void {
  if (nowMs <= scope.quietUntilMs) return;
  // What ran in a process that is gone does not run any more; what it has spent may still be in its journal.
  const before = scope.isConcurrent ? nowMs : Math.min(nowMs, lastReported(writers));
  scope.quietUntilMs = Infinity;
  for (const [holdId, { expiresAtMs }] of scope.open) {
    if (expiresAtMs < before) removeOpen(scope, holdId);
    else scope.quietUntilMs = Math.min(scope.quietUntilMs, expiresAtMs);
  }
}

/** Holds that expired before this are no one's. */
function lastReported(writers: ReadonlyMap<string, number>): number {
  return writers.size === 0 ? 0 : Math.min(...writers.values());
}

export function raiseBase(scope: Scope, { base, version }: ScopeBase): void {
  if (version <= scope.version) return;
  scope.taken += base - scope.base;
  scope.base = base;
  scope.version = version;
}

export function confirmScope(scope: Scope, confirmation: ScopeConfirmation): void {
  raiseBase(scope, confirmation);
  for (const holdId of confirmation.holdIds) {
    removeOpen(scope, holdId);
    const spent = scope.settled.get(holdId) ?? 0n;
    scope.settled.delete(holdId);
    scope.settledSum -= spent;
    scope.taken -= spent;
  }
}

/** So long after its last hold, what has no period is forgotten where nothing is left in it: it is seeded again when it is needed. */
const IDLE_MS = 3_600_000;

/** Nothing is lost with it. */
export function isDroppable(scope: Scope, nowMs: number): boolean {
  if (scope.overAtMs !== Infinity) return scope.overAtMs < nowMs;
  return scope.open.size === 0 && scope.settled.size === 0 && scope.usedUntilMs + IDLE_MS < nowMs;
}

export function describeScope(scope: Scope, nowMs: number): ScopeState {
  return {
    isSeeded: scope.isSeeded,
    base: scope.base,
    version: scope.version < 0n ? 0n : scope.version,
    settledSum: scope.settledSum,
    openSum: scope.openSum,
    settled: [...scope.settled].map(([holdId, amount]) => ({ holdId, amount })),
    open: [...scope.open].map(([holdId, held]) => ({ holdId, amount: held.amount, isExpired: held.expiresAtMs < nowMs })),
  };
}
