/** Money that is left and not had for so long, while all can speak with each other, is a fault. */
export const LEFT_ELSEWHERE_MS = 5_000;

type Wanting = { readonly amount: bigint; readonly sinceMs: number; leastLeft: bigint };

/** What is broken: which invariant, and what was seen. */
export class InvariantError extends Error {
  constructor(
    readonly invariant: 'overspend' | 'left elsewhere' | 'books differ',
    about: string,
  ) {
    super(`${invariant}: ${about}`);
    this.name = 'InvariantError';
  }
}

/**
 * Counts by hand, from outside, what is truly spent and set aside in all regions together, and checks two things at every step: it is
 * never more than the cap; and no region that has refused a request waits for longer than `LEFT_ELSEWHERE_MS` for what it needs while that
 * is left all the while, counted from when the last fault was over: while a region is cut off, or down, what it has on lease is out of reach of the others.
 */
export class Watch {
  private spent = 0n;
  private held = 0n;
  private wholeSinceMs = 0;
  private isWhole = true;
  private readonly wanting = new Map<string, Wanting>();
  refused = 0;
  admitted = 0;

  constructor(
    private readonly cap: bigint,
    private readonly now: () => number,
  ) {}

  get left(): bigint {
    return this.cap - this.spent - this.held;
  }

  get spentSoFar(): bigint {
    return this.spent;
  }

  /** Whether there is no fault at the moment. */
  setWhole(isWhole: boolean): void {
    if (isWhole && !this.isWhole) {
      this.wholeSinceMs = this.now();
      for (const each of this.wanting.values()) each.leastLeft = this.left;
    }
    this.isWhole = isWhole;
  }

  admit(amount: bigint): void {
    this.admitted += 1;
    this.held += amount;
    if (this.left < 0n) throw new InvariantError('overspend', `${this.spent} spent and ${this.held} set aside of ${this.cap}`);
    for (const each of this.wanting.values()) if (this.left < each.leastLeft) each.leastLeft = this.left;
  }

  end(amount: bigint, spent: bigint): void {
    this.held -= amount;
    this.spent += spent;
  }

  /** A region could admit so much now; what it has got stays for a second, for the request to come again. */
  free(region: string, most: bigint): void {
    const wanting = this.wanting.get(region);
    if (wanting !== undefined && most >= wanting.amount) this.wanting.delete(region);
  }

  refuse(region: string, amount: bigint): void {
    this.refused += 1;
    const nowMs = this.now();
    const wanting = this.wanting.get(region);
    if (wanting === undefined || wanting.amount < amount) {
      this.wanting.set(region, { amount, sinceMs: nowMs, leastLeft: this.left });
      return;
    }
    const sinceMs = Math.max(wanting.sinceMs, this.wholeSinceMs);
    if (this.isWhole && nowMs - sinceMs > LEFT_ELSEWHERE_MS && wanting.leastLeft >= wanting.amount)
      throw new InvariantError('left elsewhere', `${region} got none of ${wanting.leastLeft} for ${nowMs - sinceMs} ms`);
  }
}
