import type { MediaUsage } from '@weir/canonical';
import { inputTokens, outputTokens } from '@weir/canonical';
import type { PricedMedia } from './close-media-attempt';

/** JSON of an object with its usage last, which is text already. */
export function encodeWithUsage(body: object, usageText: string): string {
  const text = JSON.stringify(body);
  return text === '{}' ? `{"usage":${usageText}}` : `${text.slice(0, -1)},"usage":${usageText}}`;
}

/** A usage object with its cost, and whether it is an estimate. The cost is decimal text and stands as it is, so that no float rounds it. */
export function encodeUsage(usage: object, { costUsd, usage: { source } }: PricedMedia): string {
  return `${JSON.stringify(usage).slice(0, -1)},"cost":${costUsd}${source === 'estimate' ? ',"estimated":true' : ''}}`;
}

/** The sums in the usage of every modality. */
export function totalTokens(usage: MediaUsage): { input_tokens: number; output_tokens: number; total_tokens: number } {
  const input = inputTokens(usage);
  const output = outputTokens(usage);
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}

/** One server-sent event whose data contain its type too. */
export function encodeFrame(type: string, dataText: string): string {
  return `event: ${type}\ndata: ${dataText}\n\n`;
}

export const HEARTBEAT = ': ping\n\n';
