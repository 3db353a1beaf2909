import { randomUUID } from 'node:crypto';
import { slotOf } from '../../../client/create-script';
import type { RedisCluster } from '../../../client/redis-cluster';
import { markOf } from '../cluster-scripts';

/** An organization whose counters are on the node with this port. */
export function organizationAt(cluster: RedisCluster, port: number): string {
  for (;;) {
    const organizationId = randomUUID();
    if (cluster.ownerOf(slotOf(markOf(organizationId)))?.options.port === port) return organizationId;
  }
}

export async function keysOfAll(cluster: RedisCluster, pattern: string): Promise<string[]> {
  return (await Promise.all(cluster.nodes('master').map((node) => node.keys(pattern)))).flat();
}

type Move = { readonly slot: number; readonly from: number; readonly to: number; readonly onHalf?: () => Promise<void> };

/** Moves a slot from one node to another, key by key as operators' tools do it; `onHalf` runs when half of its keys have gone. */
export async function moveSlot(cluster: RedisCluster, { slot, from, to, onHalf }: Move): Promise<void> {
  const at = (port: number) => {
    const node = cluster.nodes('master').find(({ options }) => options.port === port);
    if (node === undefined) throw new Error(`no node listens on ${port}`);
    return node;
  };
  const [source, target] = [at(from), at(to)];
  const [sourceId, targetId] = (await Promise.all([source.cluster('MYID'), target.cluster('MYID')])) as [string, string];
  await target.cluster('SETSLOT', slot, 'IMPORTING', sourceId);
  await source.cluster('SETSLOT', slot, 'MIGRATING', targetId);
  for (let isHalf = false; ; isHalf = true) {
    const count = await source.cluster('COUNTKEYSINSLOT', slot);
    if (isHalf) await onHalf?.();
    const keys = (await source.cluster('GETKEYSINSLOT', slot, isHalf ? 10_000 : Math.ceil(count / 2))) as string[];
    if (keys.length > 0) await source.call('MIGRATE', '127.0.0.1', to, '', 0, 5_000, 'KEYS', ...keys);
    if (isHalf && (await source.cluster('COUNTKEYSINSLOT', slot)) === 0) break;
  }
  for (const node of [target, source, ...cluster.nodes('master')]) await node.cluster('SETSLOT', slot, 'NODE', targetId);
}
