import { TagHeap, type Tagged } from './tag-heap';
import { WaitingLine } from './waiting-line';

/** Flows that are remembered although nothing waits in them, so that one which comes back at once is not served again before others. */
const IDLE_MAX = 256;

/**
 * One flow of a fair queue: all of an organization, a class of it, or a key of that. Flows inside of one flow take turns by
 * start-time fair queueing: each has a start tag in the virtual time of the flow around it; the lowest is served next, and moves on
 * by one over its weight. A flow in which nothing waited starts at the present, so nothing can be saved up.
 */
export class FairFlow<Item> implements Tagged {
  /** How many wait in it. */
  count = 0;
  weight = 1;
  start = 0;
  order = 0;
  /** Of a flow that has no flows inside. */
  readonly line = new WaitingLine<Item>();
  private finish = 0;
  private isListed = false;
  private virtual = 0;
  private orders = 0;
  private readonly inner = new Map<string, FairFlow<Item>>();
  private readonly turns = new TagHeap<FairFlow<Item>>();

  constructor(readonly name: string) {}

  /** The flow of that name inside this one, in which one more waits from now on. */
  enter(name: string, weight: number): FairFlow<Item> {
    let flow = this.inner.get(name);
    if (flow === undefined) {
      if (this.inner.size >= IDLE_MAX) this.forgetIdle();
      flow = new FairFlow<Item>(name);
      this.inner.set(name, flow);
    }
    flow.weight = weight;
    flow.count += 1;
    if (!flow.isListed) {
      flow.start = Math.max(this.virtual, flow.finish);
      this.list(flow);
    }
    return flow;
  }

  /** The flow inside whose turn it is, in which one fewer waits from now on. Undefined where nothing waits inside. */
  serve(): FairFlow<Item> | undefined {
    for (let flow = this.turns.pop(); flow !== undefined; flow = this.turns.pop()) {
      flow.isListed = false;
      if (flow.count === 0) continue;
      this.virtual = Math.max(this.virtual, flow.start);
      flow.finish = flow.start + 1 / flow.weight;
      flow.count -= 1;
      if (flow.count > 0) {
        flow.start = flow.finish;
        this.list(flow);
      }
      return flow;
    }
    return undefined;
  }

  flows(): Iterable<FairFlow<Item>> {
    return this.inner.values();
  }

  private list(flow: FairFlow<Item>): void {
    flow.isListed = true;
    flow.order = this.orders += 1;
    this.turns.push(flow);
  }

  private forgetIdle(): void {
    for (const [name, flow] of this.inner) {
      if (!flow.isListed && flow.finish <= this.virtual) this.inner.delete(name);
    }
  }
}
