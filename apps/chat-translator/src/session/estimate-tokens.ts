import { NO_USAGE, type Usage } from '@weir/canonical';

/**
 * Tokens of text that no tokenizer counted. Three bytes a token is more than any common tokenizer makes of ordinary text,
 * so an estimate errs on the side of what a provider may bill.
 */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / 3);
}

/** A picture of full size, or a dense page. */
export const MEDIA_TOKENS = 1600;

/** So many bytes of a file make a token, at least: scanned pages have some 50 KiB, seconds of video some 120 KiB. */
const BYTES_PER_TOKEN = { image: Infinity, pdf: 32, video: 480 } as const;

/** Tokens of a file that is not decoded here. */
export function estimateMediaTokens(kind: keyof typeof BYTES_PER_TOKEN, bytes: number): number {
  return Math.max(MEDIA_TOKENS, Math.ceil(bytes / BYTES_PER_TOKEN[kind]));
}

/** Estimated usage, for a reply whose provider reported none or was cut off before it did. */
export function estimateUsage(promptEstimate: number, outputTokens: number): Usage {
  return { ...NO_USAGE, inputUncached: promptEstimate, output: outputTokens, source: 'estimate' };
}
