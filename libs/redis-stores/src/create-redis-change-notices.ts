import { createMemoryChangeNotices, type ChangeNotices } from '@weir/access';
import { randomUUID } from 'node:crypto';
import { isCluster, type Redis } from './client/create-redis';

const CHANNEL = 'weir:config-changes';

/** When notices may have been missed, and when they come again. A cluster listens at one node, and at another one when that is gone. */
const eventsOf = (redis: Redis) => (isCluster(redis) ? (['-node', 'refresh'] as const) : (['close', 'ready'] as const));

/**
 * Change notices over Redis pub/sub. `subscriber` is a connection of its own: one that listens can do nothing else.
 * A notice says only that there is news, and who gave it; its subscribers read the change log. Those of the process that gives it
 * are waited for, those of others are not.
 */
export function createRedisChangeNotices(redis: Redis, subscriber: Redis): ChangeNotices {
  const here = createMemoryChangeNotices();
  const ownName = randomUUID();
  let listeners = 0;
  const [gone, back] = eventsOf(subscriber);
  // What a subscriber could not take in it reports itself, and polls for.
  const reportAll = (): void => void Promise.allSettled([here.notify()]);
  const listen = (): Promise<unknown> => (listeners === 0 ? Promise.resolve() : subscriber.subscribe(CHANNEL));
  let hasGap = false;
  const onClose = (): void => {
    hasGap = true;
  };
  // Notices of the time without a connection are lost: what can be said after it is that there may be news.
  const onReady = (): void => {
    if (!hasGap) return;
    hasGap = false;
    listen().then(reportAll, onClose); // a failure ends in another `ready`
  };
  const onMessage = (channel: string, giver: string): void => {
    if (channel === CHANNEL && giver !== ownName) reportAll();
  };
  return {
    notify: async () => {
      const [published, takenIn] = await Promise.allSettled([redis.publish(CHANNEL, ownName), here.notify()]);
      for (const outcome of [published, takenIn]) if (outcome.status === 'rejected') throw outcome.reason;
    },
    subscribe: async (onNotice) => {
      if (listeners === 0) {
        subscriber.on('message', onMessage);
        subscriber.on(gone, onClose);
        subscriber.on(back, onReady);
      }
      listeners += 1;
      const end = await here.subscribe(onNotice);
      // Without Redis the change log is polled all the same; the subscription comes with the connection.
      await listen().catch(() => undefined);
      let hasEnded = false;
      return async () => {
        if (hasEnded) return;
        hasEnded = true;
        listeners -= 1;
        await end();
        if (listeners > 0) return;
        subscriber.off('message', onMessage);
        subscriber.off(gone, onClose);
        subscriber.off(back, onReady);
        if (subscriber.status === 'ready') await subscriber.unsubscribe(CHANNEL);
      };
    },
  };
}
