/** What is next by its tag; of equal tags, what came first. */
export type Tagged = { start: number; order: number };

/** A heap of what waits for its turn: putting in and taking out cost the logarithm of how many there are. */
export class TagHeap<Item extends Tagged> {
  private readonly items: Item[] = [];

  push(item: Item): void {
    const { items } = this;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(item, items[parent] as Item)) break;
      items[at] = items[parent] as Item;
      at = parent;
    }
    items[at] = item;
  }

  pop(): Item | undefined {
    const { items } = this;
    const first = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.sink(last);
    return first;
  }

  /** Puts an item to the top and from there to its place. */
  private sink(item: Item): void {
    const { items } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && isBefore(items[child + 1] as Item, items[child] as Item)) child += 1;
      if (!isBefore(items[child] as Item, item)) break;
      items[at] = items[child] as Item;
      at = child;
    }
    items[at] = item;
  }
}

function isBefore(one: Tagged, other: Tagged): boolean {
  return one.start < other.start || (one.start === other.start && one.order < other.order);
}
