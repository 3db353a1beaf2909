/** An item's place among the others; what `remove` takes. */
export type Place<Item> = { readonly item: Item; index: number };

/**
 * Items that come and go with every request, in no order. A Set would do, but for this: V8 gives a Set that has changed often
 * enough a new table, and each old table refers to the next. Once one of them is old garbage, every later table and all that
 * stood in it survives each young collection: whole requests were copied into the old heap long after they had ended.
 */
export class OpenItems<Item> implements Iterable<Item> {
  /** It only grows, so that it is hardly ever copied: those behind `count` are free. */
  private readonly all: (Place<Item> | undefined)[] = [];
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(item: Item): Place<Item> {
    const place = { item, index: this.count };
    this.all[this.count] = place;
    this.count += 1;
    return place;
  }

  /** Nothing happens to one that is removed already. */
  remove(place: Place<Item>): void {
    const { index } = place;
    if (index === -1) return;
    this.count -= 1;
    const last = this.all[this.count] as Place<Item>;
    this.all[index] = last;
    last.index = index;
    this.all[this.count] = undefined;
    place.index = -1;
  }

  /** Those that are there now, with what `remove` takes, whatever is added or removed meanwhile. */
  places(): Place<Item>[] {
    return this.all.slice(0, this.count) as Place<Item>[];
  }

  /** The same without their places. */
  list(): Item[] {
    return this.places().map(({ item }) => item);
  }

  [Symbol.iterator](): IterableIterator<Item> {
    return this.list().values();
  }
}
