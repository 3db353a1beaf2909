import { NO_USAGE, type Usage } from '@weir/canonical';

/**
 * Tokens of text nobody counted for us. Three bytes a token is more than any common tokenizer makes of ordinary text,
 * so an estimate errs on the side of what a provider may bill.
 */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / 3);
}

/** Usage for a reply whose provider told none, or was cut before it could; flagged as an estimate. */
export function estimateUsage(promptEstimate: number, outputTokens: number): Usage {
  return { ...NO_USAGE, inputUncached: promptEstimate, output: outputTokens, source: 'estimate' };
}
