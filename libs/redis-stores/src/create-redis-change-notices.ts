import type { ChangeNotices } from '@weir/access';
import { isCluster, type Redis } from './client/create-redis';

const CHANNEL = 'weir:config-changes';

/** When notices may have been missed, and when they come again. A cluster listens at one node, and at another one when that is gone. */
const eventsOf = (redis: Redis) => (isCluster(redis) ? (['-node', 'refresh'] as const) : (['close', 'ready'] as const));

/**
 * Change notices over Redis pub/sub. `subscriber` is a connection of its own: one that listens can do nothing else.
 * A notice says only that there is news; its subscribers read the change log.
 */
export function createRedisChangeNotices(redis: Redis, subscriber: Redis): ChangeNotices {
  const listeners = new Set<() => void>();
  const [gone, back] = eventsOf(subscriber);
  const reportAll = (): void => {
    for (const listener of listeners) listener();
  };
  const listen = (): Promise<unknown> => (listeners.size === 0 ? Promise.resolve() : subscriber.subscribe(CHANNEL));
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
  const onMessage = (channel: string): void => {
    if (channel === CHANNEL) reportAll();
  };
  return {
    notify: async () => {
      await redis.publish(CHANNEL, '');
    },
    subscribe: async (onNotice) => {
      if (listeners.size === 0) {
        subscriber.on('message', onMessage);
        subscriber.on(gone, onClose);
        subscriber.on(back, onReady);
      }
      listeners.add(onNotice);
      // Without Redis the change log is polled all the same; the subscription comes with the connection.
      await listen().catch(() => undefined);
      return async () => {
        if (!listeners.delete(onNotice) || listeners.size > 0) return;
        subscriber.off('message', onMessage);
        subscriber.off(gone, onClose);
        subscriber.off(back, onReady);
        if (subscriber.status === 'ready') await subscriber.unsubscribe(CHANNEL);
      };
    },
  };
}
