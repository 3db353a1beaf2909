import type { HoldStore, SettledHold } from '../hold-store';
import { addOpen, addSettled, confirmScope, createScope, describeScope, raiseBase, removeOpen } from './memory-scope';
import { reserveInMemory } from './reserve-in-memory';
import { createScopeBook } from './scope-book';

/** The adapter for one process. It starts empty: scopes are seeded when they are first used, journals report what they hold. */
export function createMemoryHoldStore({ now }: { readonly now: () => number }): HoldStore {
  const book = createScopeBook(now);
  const writers = new Map<string, number>();

  const enter = (hold: SettledHold, isEntered: boolean): undefined => {
    for (let index = 0; index < hold.scopes.length; index += 1) {
      const scope = book.openLasting(hold.organizationId, hold.scopes[index] as string);
      if (scope === undefined || (!removeOpen(scope, hold.holdId) && (!isEntered || scope.settled.has(hold.holdId)))) continue;
      addSettled(scope, hold.holdId, hold.spent[index] ?? 0n);
    }
    return undefined;
  };

  return {
    reserve: (request) => reserveInMemory(request, book.findAll(request), { nowMs: now(), writers }),
    seed: (organizationId, bases) => {
      book.dropOld();
      for (const base of bases) {
        const scope = book.open(organizationId, base.scope);
        raiseBase(scope, base);
        scope.isSeeded = true;
        scope.usedUntilMs = Math.max(scope.usedUntilMs, now());
      }
      return Promise.resolve();
    },
    renew: (hold, ttlMs) => {
      const expiresAtMs = now() + ttlMs;
      for (let index = 0; index < hold.scopes.length; index += 1) {
        const scope = book.openLasting(hold.organizationId, hold.scopes[index] as string);
        if (scope === undefined || scope.settled.has(hold.holdId)) continue;
        addOpen(scope, hold.holdId, { amount: hold.amounts[index] ?? 0n, expiresAtMs });
      }
      return undefined;
    },
    settle: (hold) => enter(hold, false),
    register: (hold) => enter(hold, true),
    confirm: (organizationId, confirmed) => {
      for (const confirmation of confirmed) {
        const scope = book.openLasting(organizationId, confirmation.scope);
        if (scope !== undefined) confirmScope(scope, confirmation);
      }
      return Promise.resolve();
    },
    readTaken: (organizationId, names) => {
      const taken = new Map<string, bigint>();
      for (const name of names) {
        const scope = book.peek(organizationId, name);
        if (scope?.isSeeded === true) taken.set(name, scope.taken);
      }
      return Promise.resolve(taken);
    },
    readScope: (organizationId, name) => Promise.resolve(describeScope(book.peek(organizationId, name) ?? createScope(name), now())),
    listScopes: () => Promise.resolve(book.list()),
    enrolWriter: (writerId) => {
      const nowMs = now();
      if (!writers.has(writerId)) writers.set(writerId, nowMs);
      return Promise.resolve(nowMs);
    },
    reportWriter: (writerId, asOfMs) => Promise.resolve(void writers.set(writerId, asOfMs)),
    retireWriter: (writerId) => Promise.resolve(void writers.delete(writerId)),
    onLoss: () => () => undefined, // memory is lost with the process, never under it
  };
}
