import { z } from 'zod';

/**
 * A member of a request by which its caller may choose something else than the model that was asked for, at the price that is known.
 * - `refused`: the request is refused, and the member named
 * - `dropped`: it is left out, and the loss reported
 * - `priced`: it is sent; what it may cost is held, and what it has cost is read from the reply
 */
export const choosingMember = z.strictObject({
  chooses: z.enum(['model', 'provider', 'tier', 'tool', 'region', 'time']),
  use: z.enum(['refused', 'dropped', 'priced']),
  /** Values that choose nothing out of the ordinary: sent, whatever the use. */
  unless: z.array(z.union([z.string(), z.boolean()])).default([]),
});
export type ChoosingMember = z.infer<typeof choosingMember>;

/** What a provider's entry says of members beyond those of its dialect. */
export const memberKnobs = z.strictObject({
  /**
   * Members that no one knows. `passed`: they cannot cost, because each call is served by the model that it names and a reply reports
   * all that is billed. `dropped`: left out, and the loss reported.
   */
  unknown: z.enum(['passed', 'dropped']).default('dropped'),
  /** Further members that choose nothing. */
  plain: z.array(z.string()).default([]),
  /** Further members that choose, by name; `outer.inner` is a member of a member. */
  choosing: z.record(z.string(), choosingMember).default({}),
  /** How the types of tools begin that it runs itself and that are sent. Others are refused, where unknown members are not passed. */
  tools: z.array(z.string()).default([]),
});
export type MemberKnobs = z.infer<typeof memberKnobs>;
