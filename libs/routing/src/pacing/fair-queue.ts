import { FairFlow } from './fair-flow';
import { LinePlace } from './waiting-line';

/** Which requests of an organization go first when a provider is the bottleneck. */
export type PriorityClass = 'high' | 'normal' | 'low';

/** Whose a request is, and by which weights it takes turns with others. */
export type FairShare = {
  readonly organizationId: string;
  /** The organization's among all organizations. */
  readonly organizationShare: number;
  readonly priority: PriorityClass;
  readonly apiKeyId: string;
  /** The key's among those of its organization and class. */
  readonly keyShare: number;
};

/** Weights and not an order: of 21 requests of an organization 16 are high ones as long as there are so many, and low ones never starve. */
const CLASS_WEIGHTS: Readonly<Record<PriorityClass, number>> = { high: 16, normal: 4, low: 1 };
const FROM_THE_LOWEST = ['low', 'normal', 'high'] as const;

type Path<Item> = readonly [organization: FairFlow<Item>, priority: FairFlow<Item>, key: FairFlow<Item>];

/** One that waits in a fair queue. */
export class Waiter<Item> extends LinePlace<Item> {
  isWaiting = true;

  constructor(
    item: Item,
    readonly path: Path<Item>,
  ) {
    super(item);
  }
}

/**
 * Requests that wait, and whose turn is next: organizations take turns by their shares, inside of one its classes do, and inside of
 * a class its keys. What an organization does with classes and keys takes nothing from another one. Taking turns costs the
 * logarithm of how many flows there are.
 */
export class FairQueue<Item> {
  private all = new FairFlow<Item>('');
  private waiting = 0;

  get size(): number {
    return this.waiting;
  }

  /** `isAgain`: it had its turn and was refused, so it goes before the others of its key. */
  add(share: FairShare, item: Item, isAgain: boolean): Waiter<Item> {
    // No one has waited longer than anyone else any more, and nothing is kept for flows that are gone.
    if (this.waiting === 0) this.all = new FairFlow<Item>('');
    const organization = this.all.enter(share.organizationId, share.organizationShare);
    const priority = organization.enter(share.priority, CLASS_WEIGHTS[share.priority]);
    const key = priority.enter(share.apiKeyId, share.keyShare);
    const waiter = new Waiter(item, [organization, priority, key]);
    if (isAgain) key.line.addFirst(waiter);
    else key.line.addLast(waiter);
    this.waiting += 1;
    return waiter;
  }

  /** Takes out the one whose turn it is. */
  take(): Item | undefined {
    const waiter = this.all.serve()?.serve()?.serve()?.line.first as Waiter<Item> | undefined;
    if (waiter === undefined) return undefined;
    this.leave(waiter);
    return waiter.item;
  }

  /** Takes out one that no longer waits; nothing where it left before. */
  remove(waiter: Waiter<Item>): void {
    if (!waiter.isWaiting) return;
    for (const flow of waiter.path) flow.count -= 1;
    this.leave(waiter);
  }

  *[Symbol.iterator](): Generator<Waiter<Item>> {
    for (const key of this.keys()) {
      for (let place = key.line.first; place !== undefined; place = place.after) yield place as Waiter<Item>;
    }
  }

  private *keys(): Generator<FairFlow<Item>> {
    for (const organization of this.all.flows()) for (const priority of organization.flows()) yield* priority.flows();
  }

  /**
   * Of a full queue, the one that has to leave for a new one: the last of the organization with most waiting for its share; within
   * the own organization one of a lower class, or of a key with more. Undefined where the new one has to stay out.
   */
  findDisplaced(share: FairShare): Waiter<Item> | undefined {
    const own = this.findOwn(this.all, share.organizationId);
    const fullest = findFullest(this.all);
    if (fullest === undefined) return undefined;
    if (fullest !== own && isFullerThan(fullest, own, share.organizationShare)) return lastOf(findLowest(fullest));
    if (own === undefined) return undefined;
    const lowest = findLowest(own);
    if (lowest === undefined || CLASS_WEIGHTS[lowest.name as PriorityClass] > CLASS_WEIGHTS[share.priority]) return undefined;
    if (lowest.name !== share.priority) return lastOf(lowest);
    const key = findFullest(lowest);
    return key !== undefined && isFullerThan(key, this.findOwn(lowest, share.apiKeyId), share.keyShare) ? lastOf(lowest) : undefined;
  }

  private findOwn(flow: FairFlow<Item>, name: string): FairFlow<Item> | undefined {
    for (const inner of flow.flows()) if (inner.name === name) return inner;
    return undefined;
  }

  private leave(waiter: Waiter<Item>): void {
    waiter.path[2].line.remove(waiter);
    waiter.isWaiting = false;
    this.waiting -= 1;
  }
}

/** Whether more wait in a flow, for its weight, than would in another one with one more. */
function isFullerThan<Item>(flow: FairFlow<Item>, other: FairFlow<Item> | undefined, weight: number): boolean {
  return flow !== other && flow.count / flow.weight > ((other?.count ?? 0) + 1) / weight;
}

function findFullest<Item>(flow: FairFlow<Item>): FairFlow<Item> | undefined {
  let fullest: FairFlow<Item> | undefined;
  for (const inner of flow.flows()) {
    if (inner.count > 0 && (fullest === undefined || inner.count / inner.weight > fullest.count / fullest.weight)) fullest = inner;
  }
  return fullest;
}

/** The lowest class in which someone waits. */
function findLowest<Item>(organization: FairFlow<Item>): FairFlow<Item> | undefined {
  const classes = new Map([...organization.flows()].map((flow) => [flow.name, flow]));
  for (const name of FROM_THE_LOWEST) {
    const flow = classes.get(name);
    if (flow !== undefined && flow.count > 0) return flow;
  }
  return undefined;
}

function lastOf<Item>(priority: FairFlow<Item> | undefined): Waiter<Item> | undefined {
  return priority === undefined ? undefined : (findFullest(priority)?.line.last as Waiter<Item> | undefined);
}
