import { isConcurrent, isLimitScope, measureOfScope, readScopeStep, scopeExpiry, type ScopeStep } from '@weir/limits';

/** What the name of a scope says of its keys. */
export type ScopeFacts = {
  /** Counted in nano-dollars; everything else as it is. */
  readonly isMoney: boolean;
  /** What a reservation is cut together with: scopes of one kind. */
  readonly kind: string;
  /** From then on nothing of it matters any more; null for ever. UTC epoch milliseconds. */
  readonly expiryMs: number | null;
  /** What has no period is kept for so long after it was used; null for ever. */
  readonly idleMs: number | null;
  /** Of its keys, as the scripts read it: a moment, `+` and how long after each use, or 0 for ever. */
  readonly life: string;
  /** Of a step of a rolling window: what all its steps have in common, and its own start in seconds; null of everything else. */
  readonly step: ScopeStep | null;
};

const DAY_MS = 86_400_000;
/** Holds of what runs are renewed every few seconds. */
const IDLE_RUNNING_MS = DAY_MS;
/** Like a month after it is over: the longest that an event may come late, and some days. It is seeded again when it is needed. */
const IDLE_TOTAL_MS = 40 * DAY_MS;

const PICO_PER_NANO = 1000n;
const KNOWN_MAX = 20_000;
const known = new Map<string, ScopeFacts>();

export function factsOf(scope: string): ScopeFacts {
  let facts = known.get(scope);
  if (facts === undefined) {
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(scope, (facts = readFacts(scope)));
  }
  return facts;
}

function readFacts(scope: string): ScopeFacts {
  const measure = measureOfScope(scope);
  const expiryMs = scopeExpiry(scope);
  const isRunning = isConcurrent(measure);
  const idleMs = expiryMs !== null || !isLimitScope(scope) ? null : isRunning ? IDLE_RUNNING_MS : IDLE_TOTAL_MS;
  return {
    isMoney: measure === 'usd',
    kind: isRunning ? 'now' : measure,
    expiryMs,
    idleMs,
    life: idleMs === null ? String(expiryMs ?? 0) : `+${idleMs}`,
    step: readScopeStep(scope),
  };
}

export function isOver(scope: string, nowMs: number): boolean {
  const { expiryMs } = factsOf(scope);
  return expiryMs !== null && expiryMs < nowMs;
}

/** Money in nano-dollars, upwards, so that what is taken is never reported too small; what is counted as it is. */
export function toStored(scope: string, amount: bigint): string {
  return (factsOf(scope).isMoney ? (amount + PICO_PER_NANO - 1n) / PICO_PER_NANO : amount).toString();
}

/** A maximum, downwards. */
export function floorStored(scope: string, amount: bigint): string {
  return (factsOf(scope).isMoney ? amount / PICO_PER_NANO : amount).toString();
}

export function fromStored(scope: string, stored: unknown): bigint {
  if (typeof stored !== 'string' && typeof stored !== 'number') return 0n;
  return factsOf(scope).isMoney ? BigInt(stored) * PICO_PER_NANO : BigInt(stored);
}

export function hashOf(organizationId: string, scope: string): string {
  return `weir:{${organizationId}}:hold:${scope}`;
}

/** Of each scope its hash, its open holds by their expiry and, of a step, what is known of all steps together. */
export function keysOf(organizationId: string, scopes: readonly string[]): string[] {
  const keys: string[] = [];
  for (const scope of scopes) {
    pushPair(keys, organizationId, scope);
    const { step } = factsOf(scope);
    if (step !== null) keys.push(`${hashOf(organizationId, step.series)}:earlier`);
  }
  return keys;
}

/** Of each scope its hash and its open holds alone. */
export function pairsOf(organizationId: string, scopes: readonly string[]): string[] {
  const keys: string[] = [];
  for (const scope of scopes) pushPair(keys, organizationId, scope);
  return keys;
}

function pushPair(keys: string[], organizationId: string, scope: string): void {
  const hash = hashOf(organizationId, scope);
  keys.push(hash, `${hash}:expiry`);
}

/** The start of a step, as the scripts read it: `-` of what is none. */
export function startOf(scope: string): string {
  return factsOf(scope).step?.start ?? '-';
}
