import type { ReserveRequest } from '../hold-store';
import { createScope, isDroppable, type Scope } from './memory-scope';
import type { FoundLimit } from './reserve-in-memory';

/** All scopes of a process, by organization and name. */
export type ScopeBook = {
  open(organizationId: string, name: string): Scope;
  /** Undefined where its window is over: nothing of it matters any more. */
  openLasting(organizationId: string, name: string): Scope | undefined;
  /** What there is of it; made nowhere else. */
  peek(organizationId: string, name: string): Scope | undefined;
  /** The scopes of a reservation. */
  findAll(request: Pick<ReserveRequest, 'limits' | 'organizationId'>): readonly FoundLimit[];
  /** Forgets what is over, or was not used for long; now and then, however often it is called. */
  dropOld(): void;
  list(): readonly { readonly organizationId: string; readonly scope: string }[];
};

const DROP_EVERY_MS = 30_000;
const NO_NAMES: readonly string[] = [];

type Found = { readonly organizationId: string; readonly limits: readonly FoundLimit[]; readonly era: number };

export function createScopeBook(now: () => number): ScopeBook {
  const organizations = new Map<string, Map<string, Scope>>();
  /** Lists of limits are never changed, and the same for many requests: the scopes of one are found once in an era. */
  const found = new WeakMap<ReserveRequest['limits'], Found>();
  /** Another one after scopes were dropped: who found them before has to find them again. */
  let era = 0;
  let droppedAtMs = -Infinity;

  const peek: ScopeBook['peek'] = (organizationId, name) => organizations.get(organizationId)?.get(name);
  const open: ScopeBook['open'] = (organizationId, name) => {
    let scopes = organizations.get(organizationId);
    if (scopes === undefined) organizations.set(organizationId, (scopes = new Map<string, Scope>()));
    let scope = scopes.get(name);
    if (scope === undefined) scopes.set(name, (scope = createScope(name)));
    return scope;
  };
  const isOver = ({ overAtMs }: Scope): boolean => overAtMs < now();
  return {
    open,
    openLasting: (organizationId, name) => {
      const known = peek(organizationId, name);
      if (isOver(known ?? createScope(name))) return undefined;
      return known ?? open(organizationId, name);
    },
    peek,
    findAll: ({ limits, organizationId }) => {
      const known = found.get(limits);
      if (known?.era === era && known.organizationId === organizationId) return known.limits;
      const opened = limits.map(({ scope, max, past = NO_NAMES }) => {
        const steps = past.map((name) => open(organizationId, name));
        return { name: scope, max, scope: open(organizationId, scope), past: steps, pastNames: past, left: null };
      });
      found.set(limits, { organizationId, limits: opened, era });
      return opened;
    },
    dropOld: () => {
      const nowMs = now();
      if (nowMs - droppedAtMs < DROP_EVERY_MS) return;
      droppedAtMs = nowMs;
      let isDropped = false;
      for (const [organizationId, scopes] of organizations) {
        for (const [name, scope] of scopes) if (isDroppable(scope, nowMs)) isDropped = scopes.delete(name);
        if (scopes.size === 0) organizations.delete(organizationId);
      }
      if (isDropped) era += 1;
    },
    list: () =>
      [...organizations].flatMap(([organizationId, scopes]) =>
        [...scopes]
          // What runs at a moment is compared with nothing that is committed.
          .filter(([, scope]) => (scope.isSeeded || scope.settled.size > 0 || scope.open.size > 0) && !scope.isConcurrent && !isOver(scope))
          .map(([scope]) => ({ organizationId, scope })),
      ),
  };
}
