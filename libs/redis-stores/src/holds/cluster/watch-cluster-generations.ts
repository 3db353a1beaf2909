import { HoldsUnavailableError } from '@weir/limits';
import { randomUUID } from 'node:crypto';
import type { RedisLog } from '../../client/create-redis';
import { createScript, slotOf } from '../../client/create-script';
import { isElsewhere, type RedisCluster } from '../../client/redis-cluster';
import {
  hearLosses,
  refuseAnew,
  refuseAway,
  SETTLING_MS,
  waitUntilTrusted,
  type HoldGeneration,
  type TrustedCounters,
} from '../scopes/trusted-counters';
import { ANNOUNCE, COMMON, COMMON_ORGANIZATIONS, LEARN_MARK, MARK_ANNOUNCED, markOf } from './cluster-scripts';
import { watchCommon, type CommonWatch } from './watch-common';

type Known = TrustedCounters & { readonly slot: number; readonly trustedFromMs: number };

const KNOWN_MAX = 100_000;
const TRIES = 2;

/**
 * Watches, for each organization, whether the node that has its counters still has what it had. What was learnt of them holds for the
 * connection on which it was learnt: a reservation goes over that one and follows no redirection, so that a node which has taken over,
 * or a slot that has moved, is noticed before anything is decided there. That begins a new generation of these counters. It is announced
 * to all processes first; from then on nothing is decided by them for two seconds, while workers report their holds again.
 */
export function watchClusterGenerations(cluster: RedisCluster, log: RedisLog, writersBackMs?: number): HoldGeneration {
  const { onLoss, report } = hearLosses(log);
  const organizations = new Map<string, Known>();
  /** All for which something was set aside or reported here. */
  const held = new Set<string>();
  const learning = new Map<string, Promise<void>>();
  const common = watchCommon(cluster, { writersBackMs, onLoss: report, listOrganizations: () => [...held] });
  const learnAt = createLearning(cluster, common);
  const learnNow = async (organizationId: string): Promise<void> => {
    const slot = slotOf(markOf(organizationId));
    for (let tries = 1; ; tries += 1) {
      try {
        const known = await learnAt(organizationId, slot);
        if (organizations.size >= KNOWN_MAX) organizations.clear();
        held.add(organizationId);
        organizations.set(organizationId, known);
        return;
      } catch (error) {
        organizations.delete(organizationId);
        if (tries === TRIES) throw toUnavailable(error);
        // Follows redirections, by which the client learns where the slot is.
        await cluster.exists(markOf(organizationId)).catch(() => undefined);
      }
    }
  };
  const learn = (organizationId: string): Promise<void> => {
    let learnt = learning.get(organizationId);
    if (learnt === undefined) {
      learnt = learnNow(organizationId).finally(() => learning.delete(organizationId));
      learning.set(organizationId, learnt);
    }
    return learnt;
  };
  const check = (organizationId: string): Known | undefined => {
    const known = organizations.get(organizationId);
    if (known === undefined || known.node.status !== 'ready' || cluster.ownerOf(known.slot) !== known.node) return undefined;
    if (performance.now() < known.trustedFromMs) throw refuseAnew();
    return known;
  };

  return {
    require: (organizationId) => {
      if (cluster.status !== 'ready') throw refuseAway();
      const known = check(organizationId);
      if (known !== undefined) return known;
      return learn(organizationId).then(() => {
        const learnt = check(organizationId);
        if (learnt === undefined) throw refuseAway();
        return learnt;
      });
    },
    noteHeld: (organizationId) => void held.add(organizationId),
    reportedMs: common.reportedMs,
    learn,
    explain: (organizationId, error) => {
      if (!isElsewhere(error)) return error;
      organizations.delete(organizationId);
      // The two seconds begin when someone looks, not with the next request.
      learn(organizationId).catch(() => undefined);
      return toUnavailable(error);
    },
    whenTrusted: async (timeoutMs) => {
      await waitUntilTrusted(() => common.isSettled(), timeoutMs);
      await Promise.all(cluster.nodes('master').map((node) => node.ping().catch(() => undefined)));
    },
    onLoss,
    close: common.close,
  };
}

/** Learns by what an organization's counters may be asked where they are; a generation that no one has announced is announced first. */
function createLearning(cluster: RedisCluster, common: CommonWatch): (organizationId: string, slot: number) => Promise<Known> {
  const { runAt: learnMark } = createScript(cluster, LEARN_MARK);
  const { runAt: markAnnounced } = createScript(cluster, MARK_ANNOUNCED);
  const { run: runAnnounce } = createScript(cluster, ANNOUNCE);
  const announce = async (organizationId: string, hasNoMark: number): Promise<number> => {
    const answer = await runAnnounce([COMMON, COMMON_ORGANIZATIONS], [organizationId, hasNoMark, SETTLING_MS, common.require()]);
    if (answer === -1) throw refuseAway();
    return answer as number;
  };
  return async (organizationId, slot) => {
    const node = cluster.ownerOf(slot);
    if (node === undefined) throw refuseAway();
    const mark = [markOf(organizationId)];
    const [id, knownMs, hasNoMark] = (await learnMark(node, mark, [randomUUID()])) as [string, number, number];
    const ageMs = knownMs >= 0 ? knownMs : ((await markAnnounced(node, mark, [id, await announce(organizationId, hasNoMark)])) as number);
    if (ageMs < 0) throw refuseAnew();
    return { id, node, slot, trustedFromMs: performance.now() + Math.max(0, SETTLING_MS - ageMs) };
  };
}

function toUnavailable(error: unknown): unknown {
  if (!isElsewhere(error)) return error;
  return new HoldsUnavailableError('the node that has these counters of limits is away, or they are moving to another', { cause: error });
}
