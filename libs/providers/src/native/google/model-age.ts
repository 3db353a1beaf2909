/** Models before the third generation think by budget and know no signatures on calls. */
export function isBeforeThird(upstreamModel: string): boolean {
  return /^(?:models\/)?(?:gemini-[12][.-]|gemma-)/.test(upstreamModel);
}
