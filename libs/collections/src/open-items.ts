/** An item's place in a list; what `remove` takes. */
export type Place<Item> = { readonly item: Item; index: number };

/**
 * Items that come and go with every request, in no order. A Set would do, but for this: V8 gives a Set that has changed often
 * enough a new table, and each old table refers to the next. Once one of them is old garbage, every later table and all that
 * stood in it survives each young collection: whole requests were copied into the old heap long after they had ended.
 */
export class OpenItems<Item> implements Iterable<Item> {
  private readonly all: Place<Item>[] = [];

  get size(): number {
    return this.all.length;
  }

  add(item: Item): Place<Item> {
    const place = { item, index: this.all.length };
    this.all.push(place);
    return place;
  }

  /** Nothing happens to one that is removed already. */
  remove(place: Place<Item>): void {
    const { index } = place;
    if (index === -1) return;
    const last = this.all.pop() as Place<Item>;
    if (last !== place) {
      this.all[index] = last;
      last.index = index;
    }
    place.index = -1;
  }

  /** Those that are there now, whatever is added or removed meanwhile. */
  list(): Item[] {
    return this.all.map(({ item }) => item);
  }

  /** The same, with what `remove` takes. */
  places(): Place<Item>[] {
    return [...this.all];
  }

  [Symbol.iterator](): IterableIterator<Item> {
    return this.list().values();
  }
}
