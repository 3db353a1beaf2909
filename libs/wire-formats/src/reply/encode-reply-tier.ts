/** The tier that answered, in OpenAI's words, which call the ordinary one differently. */
export function encodeReplyTier(tier: string | undefined): string | undefined {
  return tier === 'standard' ? 'default' : tier;
}
