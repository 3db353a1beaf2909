import { createMemoryChangeNotices, type ChangeNotices } from '@weir/access';
import type { CountFreeSlots, FreeModelDays, HoldStore } from '@weir/limits';
import type { Link } from '../link/create-link';
import type { SharedStores } from './serve-stores';

type LinkedStoresOptions = {
  /** How long a slot of a free-model day stays taken that no one keeps. */
  readonly slotsKeptMs: number;
  /** Asked for by the process that keeps the stores, which has no database: what a day that it does not know starts from. */
  readonly countSlots: CountFreeSlots;
};

/** The stores that the process at the other end keeps. */
export function openLinkedStores(link: Link, { slotsKeptMs, countSlots }: LinkedStoresOptions): SharedStores & { holds: HoldStore } {
  link.serve({ countSlots });
  return {
    holds: linkHolds(link),
    rates: { take: (memberId, perMinute) => link.call('rates.take', memberId, perMinute) },
    freeModelDays: linkFreeModelDays(link, slotsKeptMs),
    watermarks: {
      publish: (watermarks) => link.call('watermarks.publish', watermarks),
      read: (writerId) => link.call('watermarks.read', writerId),
    },
    changeNotices: linkChangeNotices(link),
    replyCache: {
      find: (name) => link.call('replies.find', name),
      keep: (name, sealed, ttlMs) => link.call('replies.keep', name, sealed, ttlMs),
    },
    processReports: {
      publish: (processId, report, forMs) => link.call('reports.publish', processId, report, forMs),
      list: () => link.call('reports.list'),
      withdraw: (processId) => link.call('reports.withdraw', processId),
    },
  };
}

function linkHolds(link: Link): HoldStore {
  return {
    reserve: (request) => link.call('holds.reserve', request),
    seed: (organizationId, bases, generation) => link.call('holds.seed', organizationId, bases, generation),
    renew: (hold, ttlMs) => link.call('holds.renew', keyOf(hold), ttlMs),
    settle: (hold) => link.call('holds.settle', hold),
    register: (hold) => link.call('holds.register', hold),
    confirm: (organizationId, confirmed) => link.call('holds.confirm', organizationId, confirmed),
    readTaken: (organizationId, scopes) => link.call('holds.readTaken', organizationId, scopes),
    readScope: (organizationId, scope) => link.call('holds.readScope', organizationId, scope),
    listScopes: () => link.call('holds.listScopes'),
    enrolWriter: (writerId) => link.call('holds.enrolWriter', writerId),
    reportWriter: (writerId, asOfMs) => link.call('holds.reportWriter', writerId, asOfMs),
    retireWriter: (writerId) => link.call('holds.retireWriter', writerId),
    onLoss: () => () => undefined, // lost with the process that keeps it, and this one then ends
  };
}

/** A hold may be part of a larger object, such as a lease with what is left of it. */
function keyOf({ organizationId, holdId, scopes, amounts }: Parameters<HoldStore['renew']>[0]): Parameters<HoldStore['renew']>[0] {
  return { organizationId, holdId, scopes, amounts };
}

function linkFreeModelDays(link: Link, keptMs: number): FreeModelDays {
  return {
    keptMs,
    take: (slot, limit) => link.call('days.take', slot, limit),
    readUsed: (day) => link.call('days.readUsed', day),
    keep: (slot) => link.call('days.keep', slot),
    use: (slot) => link.call('days.use', slot),
    giveBack: (slot) => link.call('days.giveBack', slot),
  };
}

/** Notices come back to the process that gave them, as they do in memory, and are given when all have taken them in. */
export function linkChangeNotices(link: Link): ChangeNotices {
  const here = createMemoryChangeNotices();
  let asked: Promise<void> | undefined;
  link.serve({ 'changes.noticed': here.notify });
  return {
    notify: () => link.call('changes.notify'),
    subscribe: async (onNotice) => {
      const end = await here.subscribe(onNotice);
      await (asked ??= link.call('changes.subscribe'));
      return end;
    },
  };
}
