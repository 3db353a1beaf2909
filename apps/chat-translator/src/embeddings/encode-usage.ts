import { editBody, type OriginalBody } from '@weir/canonical';

export type PricedPrompt = { readonly promptTokens: number; readonly costUsd: string };

const NOTHING: ReadonlySet<string> = new Set();

/** The usage object of an embedding reply. The cost is decimal text and stands as it is, so that no float rounds it. */
export function encodeUsage({ promptTokens, costUsd }: PricedPrompt): string {
  return `{"prompt_tokens":${promptTokens},"total_tokens":${promptTokens},"cost":${costUsd}}`;
}

/** A provider's own usage object with our cost in it. */
export function addCost(usage: OriginalBody, costUsd: string): string {
  return editBody(usage, { set: new Map([['cost', costUsd]]), remove: NOTHING });
}
