import type { PassportHold } from '@weir/contracts';
import { BALANCE_SCOPE, isLimitScope, spentInScopes } from '@weir/limits';
import type { Receipt } from '../meter';

/** What the attempts of one request have spent in each scope of its hold: to the digit what their events say. */
export class HoldSpending {
  private costPico = 0n;
  private billedPico = 0n;
  /** Only where a scope counts something else than all of the money. */
  private readonly ofScopes: bigint[] | undefined;

  constructor(private readonly hold: PassportHold) {
    const { scopes } = hold;
    // Most holds have none: two sums are all there is to keep for them.
    if (scopes.some(isLimitScope)) this.ofScopes = scopes.map(() => 0n);
  }

  /** `isLogical` of the attempt that counts the request, `index` of the attempt in the passport. */
  add(receipt: Receipt, isLogical: boolean, index: number): void {
    const { ofScopes } = this;
    if (ofScopes === undefined) {
      this.costPico += receipt.costPico;
      this.billedPico += receipt.billedPico;
      return;
    }
    const { scopes, uncounted } = this.hold;
    const spent = spentInScopes(scopes, { ...receipt, requests: isLogical ? 1 : 0 }, uncounted?.[index]);
    for (const [at, amount] of spent.entries()) ofScopes[at] = (ofScopes[at] ?? 0n) + amount;
  }

  list(): bigint[] {
    return this.ofScopes ?? this.hold.scopes.map((scope) => (scope === BALANCE_SCOPE ? this.billedPico : this.costPico));
  }
}
