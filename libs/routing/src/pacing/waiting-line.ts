/** One that waits in a line. */
export class LinePlace<Item> {
  before: LinePlace<Item> | undefined;
  after: LinePlace<Item> | undefined;

  constructor(readonly item: Item) {}
}

/** First come, first served; one may leave from any place, and go to the front. Every step costs the same. */
export class WaitingLine<Item> {
  first: LinePlace<Item> | undefined;
  last: LinePlace<Item> | undefined;

  addLast(place: LinePlace<Item>): void {
    place.before = this.last;
    if (this.last === undefined) this.first = place;
    else this.last.after = place;
    this.last = place;
  }

  addFirst(place: LinePlace<Item>): void {
    place.after = this.first;
    if (this.first === undefined) this.last = place;
    else this.first.before = place;
    this.first = place;
  }

  remove(place: LinePlace<Item>): void {
    const { before, after } = place;
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.last = before;
    else after.before = before;
    place.before = undefined;
    place.after = undefined;
  }
}
