import type { HoldStore, ReserveAnswer, ReserveRequest, ScopeBase, ScopeConfirmation, ScopeState, SettledHold } from './hold-store';
import { scopeExpiry } from './scope-name';

type Open = { readonly amountPico: bigint; expiresAtMs: number };

type Scope = {
  isSeeded: boolean;
  basePico: bigint;
  version: bigint;
  settledPico: bigint;
  openPico: bigint;
  readonly settled: Map<string, bigint>;
  readonly open: Map<string, Open>;
  /** No open hold expires before this. */
  quietUntilMs: number;
};

/** The adapter for one process. It starts empty: scopes are seeded when they are first used, journals report what they hold. */
export function createMemoryHoldStore({ now }: { readonly now: () => number }): HoldStore {
  const scopes = new Map<string, Scope>();
  const writers = new Map<string, number>();
  /** Another one after scopes were dropped: who found them before has to find them again. */
  let era = 0;

  const open = (organizationId: string, name: string): Scope => {
    const key = `${organizationId} ${name}`;
    let scope = scopes.get(key);
    if (scope === undefined) scopes.set(key, (scope = createScope()));
    return scope;
  };
  const findAll = createScopeFinder(open, () => era);
  /** Holds that expired before this are no one's. */
  const lastReported = (): number => (writers.size === 0 ? 0 : Math.min(...writers.values()));

  const enter = (hold: SettledHold, isEntered: boolean): undefined => {
    for (let index = 0; index < hold.scopes.length; index += 1) {
      const scope = open(hold.organizationId, hold.scopes[index] as string);
      if (!removeOpen(scope, hold.holdId) && (!isEntered || scope.settled.has(hold.holdId))) continue;
      const spent = hold.spentPico[index] ?? 0n;
      if (spent === 0n) continue;
      scope.settled.set(hold.holdId, spent);
      scope.settledPico += spent;
    }
    return undefined;
  };

  return {
    reserve: (request) => reserve(request, findAll(request), { now: now(), lastReported }),
    seed: (organizationId, bases) => {
      if (dropOld(scopes, now())) era += 1;
      for (const base of bases) {
        const scope = open(organizationId, base.scope);
        raiseBase(scope, base);
        scope.isSeeded = true;
      }
      return Promise.resolve();
    },
    renew: (hold, ttlMs) => {
      const expiresAtMs = now() + ttlMs;
      for (const name of hold.scopes) {
        const scope = open(hold.organizationId, name);
        const held = scope.open.get(hold.holdId);
        if (held !== undefined) held.expiresAtMs = expiresAtMs;
        else if (!scope.settled.has(hold.holdId)) addOpen(scope, hold.holdId, { amountPico: hold.amountPico, expiresAtMs });
      }
      return undefined;
    },
    settle: (hold) => enter(hold, false),
    register: (hold) => enter(hold, true),
    confirm: (organizationId, confirmed) => {
      for (const confirmation of confirmed) confirmScope(open(organizationId, confirmation.scope), confirmation);
      return Promise.resolve();
    },
    readTaken: (organizationId, names) => {
      const seeded = names.map((name) => [name, open(organizationId, name)] as const).filter(([, scope]) => scope.isSeeded);
      return Promise.resolve(new Map(seeded.map(([name, scope]) => [name, takenOf(scope)])));
    },
    readScope: (organizationId, name) => Promise.resolve(describeScope(open(organizationId, name), now())),
    listScopes: () => {
      const names = [...scopes].filter(([, scope]) => scope.isSeeded).map(([key]) => key.split(' ') as [string, string]);
      return Promise.resolve(names.map(([organizationId, scope]) => ({ organizationId, scope })));
    },
    enrolWriter: (writerId) => {
      if (!writers.has(writerId)) writers.set(writerId, now());
      return Promise.resolve();
    },
    reportWriter: (writerId) => Promise.resolve(void writers.set(writerId, now())),
    retireWriter: (writerId) => Promise.resolve(void writers.delete(writerId)),
    onLoss: () => () => undefined, // memory is lost with the process, never under it
  };
}

type FindScopes = (request: Pick<ReserveRequest, 'limits' | 'organizationId'>) => readonly Scope[];

/** Lists of limits are never changed, and the same for all requests of a key: the scopes of a list are found once in an `era`. */
function createScopeFinder(open: (organizationId: string, name: string) => Scope, era: () => number): FindScopes {
  const found = new WeakMap<ReserveRequest['limits'], FoundScopes>();
  return ({ limits, organizationId }) => {
    const known = found.get(limits);
    if (known?.era === era() && known.organizationId === organizationId) return known.scopes;
    const scopes = limits.map(({ scope }) => open(organizationId, scope));
    found.set(limits, { organizationId, scopes, era: era() });
    return scopes;
  };
}

function createScope(): Scope {
  return {
    isSeeded: false,
    basePico: 0n,
    version: -1n,
    settledPico: 0n,
    openPico: 0n,
    settled: new Map(),
    open: new Map(),
    quietUntilMs: Infinity,
  };
}

type FoundScopes = { readonly organizationId: string; readonly scopes: readonly Scope[]; readonly era: number };
type Clock = { readonly now: number; readonly lastReported: () => number };

function reserve(request: ReserveRequest, scopes: readonly Scope[], clock: Clock): ReserveAnswer {
  const { limits, holdId } = request;
  if (!scopes.every(isSeeded))
    return { kind: 'unseeded', scopes: limits.filter((_, index) => scopes[index]?.isSeeded !== true).map(nameOf) };
  const before = scopes[0]?.open.get(holdId);
  if (before !== undefined) return { kind: 'held', amountPico: before.amountPico };
  for (const scope of scopes) giveBackExpired(scope, clock);
  const tightest = findTightest(limits, scopes);
  const remainingPico = leftOf(limits, scopes, tightest);
  if (remainingPico < request.leastPico) return { kind: 'refused', scope: limits[tightest]?.scope ?? '', remainingPico };
  const amountPico = remainingPico < request.amountPico ? remainingPico : request.amountPico;
  const expiresAtMs = clock.now + request.ttlMs;
  for (const each of scopes) addOpen(each, holdId, { amountPico, expiresAtMs });
  return { kind: 'held', amountPico };
}

/** The index of the scope with the least left; of several the first. */
function findTightest(limits: ReserveRequest['limits'], scopes: readonly Scope[]): number {
  let tightest = 0;
  for (let index = 1; index < scopes.length; index += 1) {
    if (leftOf(limits, scopes, index) < leftOf(limits, scopes, tightest)) tightest = index;
  }
  return tightest;
}

function leftOf(limits: ReserveRequest['limits'], scopes: readonly Scope[], index: number): bigint {
  return (limits[index]?.limitPico ?? 0n) - takenOf(scopes[index] as Scope);
}

const isSeeded = (scope: Scope): boolean => scope.isSeeded;
const nameOf = ({ scope }: { readonly scope: string }): string => scope;

function takenOf({ basePico, settledPico, openPico }: Scope): bigint {
  return basePico + settledPico + openPico;
}

function addOpen(scope: Scope, holdId: string, held: Open): void {
  scope.open.set(holdId, held);
  scope.openPico += held.amountPico;
  scope.quietUntilMs = Math.min(scope.quietUntilMs, held.expiresAtMs);
}

function removeOpen(scope: Scope, holdId: string): boolean {
  const held = scope.open.get(holdId);
  if (held === undefined) return false;
  scope.open.delete(holdId);
  scope.openPico -= held.amountPico;
  return true;
}

function giveBackExpired(scope: Scope, { now, lastReported }: Clock): void {
  if (now <= scope.quietUntilMs) return;
  const before = Math.min(now, lastReported());
  scope.quietUntilMs = Infinity;
  for (const [holdId, { expiresAtMs }] of scope.open) {
    if (expiresAtMs < before) removeOpen(scope, holdId);
    else scope.quietUntilMs = Math.min(scope.quietUntilMs, expiresAtMs);
  }
}

function raiseBase(scope: Scope, { basePico, version }: ScopeBase): void {
  if (version <= scope.version) return;
  scope.basePico = basePico;
  scope.version = version;
}

function confirmScope(scope: Scope, confirmation: ScopeConfirmation): void {
  raiseBase(scope, confirmation);
  for (const holdId of confirmation.holdIds) {
    removeOpen(scope, holdId);
    scope.settledPico -= scope.settled.get(holdId) ?? 0n;
    scope.settled.delete(holdId);
  }
}

function describeScope(scope: Scope, nowMs: number): ScopeState {
  return {
    isSeeded: scope.isSeeded,
    basePico: scope.basePico,
    version: scope.version < 0n ? 0n : scope.version,
    settledPico: scope.settledPico,
    openPico: scope.openPico,
    settled: [...scope.settled].map(([holdId, amountPico]) => ({ holdId, amountPico })),
    open: [...scope.open].map(([holdId, held]) => ({ holdId, amountPico: held.amountPico, isExpired: held.expiresAtMs < nowMs })),
  };
}

/** Returns whether any was dropped. */
function dropOld(scopes: Map<string, Scope>, nowMs: number): boolean {
  const { size } = scopes;
  for (const key of scopes.keys()) {
    if ((scopeExpiry(key.slice(key.indexOf(' ') + 1)) ?? Infinity) < nowMs) scopes.delete(key);
  }
  return scopes.size < size;
}
