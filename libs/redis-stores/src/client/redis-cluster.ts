import { Cluster, type ClusterNode, type ClusterOptions, type Redis, type RedisOptions } from 'ioredis';

/** Of each connection to a node. */
type NodeOptions = Omit<RedisOptions, 'protocol' | 'replyMapping'>;

type Timings = {
  /** A command that takes longer has failed, wherever it waited. */
  readonly commandTimeoutMs: number;
};

/** How often one command may try whether a node that is gone is back. */
const PROBE_MS = 500;

/**
 * A cluster whose commands fail in time. The client limits only the time of what was sent to a node, and queues without end what
 * cannot be sent; here the time runs from the beginning, and nothing waits for the return of a cluster or a node that was there.
 */
export class RedisCluster extends Cluster {
  private isAway = false;
  private readonly byAddress = new Map<string, Redis>();
  /** When nodes that are gone may be tried again. */
  private readonly probeAtMs = new Map<string, number>();

  constructor(
    nodes: ClusterNode[],
    options: Omit<ClusterOptions, 'redisOptions'> & { readonly redisOptions: NodeOptions },
    private readonly timings: Timings,
  ) {
    super(nodes, options);
    this.on('close', () => (this.isAway = true));
    this.on('ready', () => (this.isAway = false));
    this.on('+node', (node: Redis) => void this.byAddress.set(addressOf(node), node));
    this.on('-node', (node: Redis) => {
      if (this.byAddress.get(addressOf(node)) !== node) return;
      this.byAddress.delete(addressOf(node));
      this.probeAtMs.set(addressOf(node), performance.now() + PROBE_MS);
    });
  }

  /** The connection to the node that has the slot, as far as is known; undefined where none is known or it is lost. */
  ownerOf(slot: number): Redis | undefined {
    const address = this.slots[slot]?.[0];
    return address === undefined ? undefined : this.byAddress.get(address);
  }

  override sendCommand(...[command, stream, node]: Parameters<Cluster['sendCommand']>): unknown {
    if (command.name !== 'cluster' && (this.isAway || this.isNodeAway(command.getSlot()))) {
      command.reject(new Error(this.isAway ? 'no node of the cluster can be reached' : 'the node that has this cannot be reached'));
      return command.promise;
    }
    command.setTimeout(this.timings.commandTimeoutMs);
    return super.sendCommand(command, stream, node);
  }

  private isNodeAway(slot: number | null): boolean {
    const address = slot === null ? undefined : this.slots[slot]?.[0];
    if (address === undefined || this.byAddress.has(address)) return false;
    const probeAtMs = this.probeAtMs.get(address) ?? 0;
    if (performance.now() < probeAtMs) return true;
    this.probeAtMs.set(address, performance.now() + PROBE_MS);
    return false;
  }
}

function addressOf({ options }: Redis): string {
  return `${options.host}:${options.port}`;
}

/** What a node says that has not, or not yet, what it was asked about; and what becomes of commands whose node is gone. */
const ELSEWHERE = /^(MOVED|ASK|TRYAGAIN|CLUSTERDOWN) |^Connection is closed|^READONLY/;

export function isElsewhere(error: unknown): boolean {
  return error instanceof Error && ELSEWHERE.test(error.message);
}
