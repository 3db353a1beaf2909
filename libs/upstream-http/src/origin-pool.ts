import { GatewayError } from '@weir/errors';
import { Client, type buildConnector } from 'undici';
import type { PendingCall } from './pending-call';

export type OriginPoolOptions = {
  readonly origin: string;
  /** Connections; what comes when all are in use waits. */
  readonly connectionsMax: number;
  /** What has waited for so long is refused. */
  readonly waitMs: number;
  readonly connect: buildConnector.connector;
  /** Makes a connection of its own kind; absent: a plain one. */
  readonly createClient?: ((origin: string, options: Client.Options) => Client) | undefined;
  readonly keepAliveTimeout: number;
  readonly keepAliveMaxTimeout?: number;
};

type CallOptions = Parameters<Client['dispatch']>[0];
type Waiting = { readonly options: CallOptions; readonly call: PendingCall };

/** One connection, or the place for one. */
type Slot = { readonly client: Client; isFree: boolean; isConnected: boolean };

/** How busy the connections to an origin are. */
export type OriginLoad = {
  readonly origin: string;
  readonly connections: number;
  readonly waiting: number;
  /** Calls refused so far because all connections were in use. */
  readonly refused: number;
};

const RETRY_AFTER_SECONDS = 1;
const HEADER_BYTES_MAX = 32 * 1024;

const createPlainClient = (origin: string, options: Client.Options): Client => new Client(origin, options);

/**
 * The connections to one origin. undici's own pool looks through all that are in use for one that is not, and its queue is
 * seen by no one; here a free one is at hand, the one used last, so that connections no one needs any more come to their end.
 */
export class OriginPool {
  private readonly free: Slot[] = [];
  private readonly slots = new Set<Slot>();
  private readonly waiting = new Set<Waiting>();
  private refused = 0;

  constructor(private readonly options: OriginPoolOptions) {}

  send(options: CallOptions, call: PendingCall): void {
    const slot = this.free.pop() ?? this.open();
    if (slot === undefined) this.wait({ options, call });
    else this.start(slot, options, call);
  }

  readLoad(): OriginLoad {
    let connections = 0;
    for (const { isConnected } of this.slots) if (isConnected) connections += 1;
    return { origin: this.options.origin, connections, waiting: this.waiting.size, refused: this.refused };
  }

  /** Whether it has no connection, and no call that waits for one. */
  isIdle(): boolean {
    return this.slots.size === 0 && this.waiting.size === 0;
  }

  async destroy(): Promise<void> {
    const error = new Error('the connections were closed');
    for (const { call } of [...this.waiting]) call.onError(error);
    await Promise.all([...this.slots].map(({ client }) => client.destroy(error)));
  }

  private open(): Slot | undefined {
    const { origin, connectionsMax, waitMs: _, createClient = createPlainClient, ...options } = this.options;
    if (this.slots.size >= connectionsMax) return undefined;
    const client = createClient(origin, { ...options, pipelining: 1, maxHeaderSize: HEADER_BYTES_MAX });
    const slot = { client, isFree: false, isConnected: false };
    client.on('connect', () => void (slot.isConnected = true));
    client.on('disconnect', () => {
      slot.isConnected = false;
      if (slot.isFree) this.drop(slot);
    });
    client.on('drain', () => this.release(slot));
    this.slots.add(slot);
    return slot;
  }

  private start(slot: Slot, options: CallOptions, call: PendingCall): void {
    slot.isFree = false;
    // One that took the call drains when it is over. A call that could not even be begun leaves nothing to drain.
    if (slot.client.dispatch(options, call) || (call.isOver && slot.client.stats.size === 0)) this.release(slot);
  }

  private release(slot: Slot): void {
    if (slot.isFree) return;
    const next = this.waiting.size === 0 ? undefined : this.firstWaiting();
    if (next !== undefined) {
      this.leave(next);
      this.start(slot, next.options, next.call);
      return;
    }
    if (!slot.isConnected) {
      this.slots.delete(slot);
      return;
    }
    slot.isFree = true;
    this.free.push(slot);
  }

  private firstWaiting(): Waiting | undefined {
    const [first] = this.waiting;
    return first;
  }

  private drop(slot: Slot): void {
    this.slots.delete(slot);
    const at = this.free.lastIndexOf(slot);
    if (at !== -1) this.free.splice(at, 1);
  }

  private wait(waiting: Waiting): void {
    const { call } = waiting;
    this.waiting.add(waiting);
    const timer = setTimeout(() => {
      this.refused += 1;
      call.onError(this.explainRefusal());
    }, this.options.waitMs);
    call.onLeave = () => {
      clearTimeout(timer);
      this.waiting.delete(waiting);
    };
  }

  private leave({ call }: Waiting): void {
    call.onLeave?.();
    call.onLeave = undefined;
  }

  private explainRefusal(): GatewayError {
    const { connectionsMax } = this.options;
    const message = `All ${connectionsMax} connections of the gateway to this provider are in use. Try again shortly.`;
    return new GatewayError('overloaded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
