/** A tier in OpenAI's words: one dialect has a name of its own for the ordinary one. */
export function encodeServiceTier(tier: string | undefined): string | undefined {
  return tier === 'standard_only' ? 'default' : tier;
}
