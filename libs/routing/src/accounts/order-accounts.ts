import type { RoutedAccount } from './account-map';

type OrderFacts = {
  /** 0 ≤ number < 1. */
  readonly random: () => number;
  readonly isEjected: (account: RoutedAccount) => boolean;
};

/**
 * The order in which accounts are tried. Each draws a number from an exponential distribution with its weight as the rate, and the
 * least comes first: so the first is distributed by weight, and so is the next among the rest. Those without weight come after
 * them, and those that are ejected last.
 */
export function orderAccounts(accounts: readonly RoutedAccount[], { random, isEjected }: OrderFacts): RoutedAccount[] {
  return accounts
    .map((account) => ({
      account,
      rank: (isEjected(account) ? 2 : 0) + (account.weight > 0 ? 0 : 1),
      // Those without weight share what is left evenly.
      at: -Math.log(1 - random()) / (account.weight > 0 ? account.weight : 1),
    }))
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .map(({ account }) => account);
}
