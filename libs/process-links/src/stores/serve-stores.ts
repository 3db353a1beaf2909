import type { ChangeNotices, ProcessReports, ReplyCache } from '@weir/access';
import type { FreeModelDays, FreeSlot, HoldStore, RateLimiter } from '@weir/limits';
import type { WatermarkStore } from '@weir/usage';
import type { Link } from '../link/create-link';

/** What one process keeps for all. */
export type SharedStores = {
  readonly holds: Omit<HoldStore, 'onLoss'>;
  readonly rates: RateLimiter;
  readonly freeModelDays: FreeModelDays;
  readonly watermarks: WatermarkStore;
  readonly changeNotices: ChangeNotices;
  readonly replyCache: ReplyCache;
  readonly processReports: ProcessReports;
};

/** Lets the process at the other end use the stores of this one. */
export function serveStores(link: Link, stores: SharedStores): void {
  const { holds, rates, freeModelDays: days, watermarks, changeNotices, replyCache, processReports } = stores;
  link.serve({
    'holds.reserve': holds.reserve,
    'holds.seed': holds.seed,
    'holds.renew': holds.renew,
    'holds.settle': holds.settle,
    'holds.register': holds.register,
    'holds.confirm': holds.confirm,
    'holds.readTaken': holds.readTaken,
    'holds.readScope': holds.readScope,
    'holds.listScopes': holds.listScopes,
    'holds.enrolWriter': holds.enrolWriter,
    'holds.reportWriter': holds.reportWriter,
    'holds.retireWriter': holds.retireWriter,
    'rates.take': rates.take,
    'days.take': (slot: FreeSlot, limit: number) => days.take(slot, limit),
    'days.readUsed': days.readUsed,
    'days.keep': days.keep,
    'days.use': days.use,
    'days.giveBack': days.giveBack,
    'watermarks.publish': watermarks.publish,
    'watermarks.read': watermarks.read,
    'changes.notify': changeNotices.notify,
    'changes.subscribe': () => subscribeFor(link, changeNotices),
    'replies.find': replyCache.find,
    // A copy: what arrived is a part of a whole message, which would be kept with it.
    'replies.keep': (name: string, sealed: Uint8Array, ttlMs: number) => replyCache.keep(name, Uint8Array.from(sealed), ttlMs),
    'reports.publish': processReports.publish,
    'reports.list': processReports.list,
    'reports.withdraw': processReports.withdraw,
  });
}

/** A notice is taken in when the process at the other end says so; one that is gone serves nothing any more. */
async function subscribeFor(link: Link, changeNotices: ChangeNotices): Promise<void> {
  let isGone = false;
  const unsubscribe = await changeNotices.subscribe(async () => {
    try {
      await link.call('changes.noticed');
    } catch (error) {
      if (!isGone) throw error;
    }
  });
  link.onLost(() => {
    isGone = true;
    void unsubscribe();
  });
}
