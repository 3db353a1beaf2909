import type { LimitMeasure } from '@weir/contracts';
import type { ReserveAnswer, ReserveRequest } from '../hold-store';
import { addOpen, giveBackExpired, type Expiry, type Scope } from './memory-scope';

/** What of one limit counts: the scope that holds are in, and earlier steps of its window. */
export type FoundLimit = {
  readonly name: string;
  readonly max: bigint | null;
  readonly scope: Scope;
  readonly past: readonly Scope[];
  readonly pastNames: readonly string[];
  /** Of the reservation at hand: what is left, null where the limit only counts. */
  left: bigint | null;
};

export function reserveInMemory(request: ReserveRequest, found: readonly FoundLimit[], expiry: Expiry): ReserveAnswer {
  if (!areSeeded(found)) return { kind: 'unseeded', scopes: listUnseeded(found) };
  const first = found[0];
  if (first?.scope.open.has(request.holdId) === true) return { kind: 'held', amounts: heldBy(request, found) };
  const fit = measureLeft(request, found, expiry);
  if (fit === 'refused') return refuse(request, found);
  const amounts = fit === 'cut' ? cutAmounts(request, found) : request.amounts;
  const expiresAtMs = expiry.nowMs + request.ttlMs;
  for (let index = 0; index < found.length; index += 1) {
    addOpen((found[index] as FoundLimit).scope, request.holdId, { amount: amounts[index] ?? 0n, expiresAtMs });
  }
  return request.isShown === true ? { kind: 'held', amounts, remaining: listRemaining(amounts, found) } : { kind: 'held', amounts };
}

function areSeeded(found: readonly FoundLimit[]): boolean {
  for (const { scope, past } of found) {
    if (!scope.isSeeded) return false;
    for (const step of past) if (!step.isSeeded) return false;
  }
  return true;
}

function listUnseeded(found: readonly FoundLimit[]): string[] {
  return found.flatMap(({ name, scope, past, pastNames }) => [
    ...(scope.isSeeded ? [] : [name]),
    ...pastNames.filter((_, at) => past[at]?.isSeeded !== true),
  ]);
}

/** What an earlier try of the same request has set aside. */
function heldBy({ holdId, amounts }: ReserveRequest, found: readonly FoundLimit[]): bigint[] {
  return found.map(({ scope }, index) => scope.open.get(holdId)?.amount ?? amounts[index] ?? 0n);
}

type Fit = 'whole' | 'cut' | 'refused';

/** Finds what is left of each limit, and whether the amounts fit. */
function measureLeft({ amounts, leasts }: ReserveRequest, found: readonly FoundLimit[], expiry: Expiry): Fit {
  let fit: Fit = 'whole';
  for (let index = 0; index < found.length; index += 1) {
    const limit = found[index] as FoundLimit;
    const left = (limit.left = findLeft(limit, expiry));
    if (left === null) continue;
    if (left < (leasts[index] ?? 0n)) fit = 'refused';
    else if (fit === 'whole' && left < (amounts[index] ?? 0n)) fit = 'cut';
  }
  return fit;
}

function findLeft({ max, scope, past }: FoundLimit, expiry: Expiry): bigint | null {
  giveBackExpired(scope, expiry);
  for (const step of past) giveBackExpired(step, expiry);
  if (max === null) return null;
  let left = max - scope.taken;
  for (const step of past) left -= step.taken;
  return left;
}

/** Names a limit that does not cover the least; of several in money the one with the least left, else the first. */
function refuse({ leasts }: ReserveRequest, found: readonly FoundLimit[]): ReserveAnswer {
  let refusing: FoundLimit | undefined;
  for (let index = 0; index < found.length; index += 1) {
    const limit = found[index] as FoundLimit;
    if (limit.left === null || limit.left >= (leasts[index] ?? 0n)) continue;
    if (refusing === undefined || isTighter(limit, refusing)) refusing = limit;
  }
  return { kind: 'refused', scope: refusing?.name ?? '', remaining: refusing?.left ?? 0n };
}

function isTighter(one: FoundLimit, other: FoundLimit): boolean {
  return one.scope.measure === 'usd' && other.scope.measure === 'usd' && (one.left ?? 0n) < (other.left ?? 0n);
}

/**
 * What is left of the tightest limit of the same measure where that is less: a reply that is shortened to fit one of them uses no
 * more of the others. Never less than the least.
 */
function cutAmounts({ amounts, leasts }: ReserveRequest, found: readonly FoundLimit[]): readonly bigint[] {
  const leftOf = new Map<LimitMeasure, bigint>();
  for (const { scope, left } of found) {
    const known = leftOf.get(scope.measure);
    if (left !== null && (known === undefined || left < known)) leftOf.set(scope.measure, left);
  }
  return amounts.map((amount, index) => {
    const left = leftOf.get((found[index] as FoundLimit).scope.measure) ?? amount;
    const least = leasts[index] ?? 0n;
    const cut = left < amount ? left : amount;
    return cut > least ? cut : least;
  });
}

function listRemaining(amounts: readonly bigint[], found: readonly FoundLimit[]): (bigint | null)[] {
  return found.map(({ left }, index) => (left === null ? null : left - (amounts[index] ?? 0n)));
}
