/** Mistakes that somebody could make. Each is built in on purpose to show that the invariants notice it. */
export const MUTATIONS = [
  'leases are not bounded by what is left',
  'late grants are accepted',
  'home forgets leases',
  'silent regions lose their leases',
  'old reports are believed',
  'recalls are ignored',
] as const;

export type Mutation = (typeof MUTATIONS)[number];
