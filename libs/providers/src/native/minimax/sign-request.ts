/** Chat takes the key as the dialect it speaks does; everything else takes it so. */
export function signRequest(apiKey: string): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}
