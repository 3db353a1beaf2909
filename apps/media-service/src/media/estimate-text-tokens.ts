/** Three bytes a token is more than any common tokenizer makes of ordinary text. */
const BYTES_PER_TOKEN = 3;

/** How many tokens a text has at most, roughly: for what has to be known before a request leaves. */
export function estimateTextTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
