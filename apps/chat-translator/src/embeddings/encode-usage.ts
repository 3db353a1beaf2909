import { editBody, readMember, type OriginalBody } from '@weir/canonical';

export type PricedPrompt = { readonly promptTokens: number; readonly costUsd: string; readonly isEstimated: boolean };

const NOTHING: ReadonlySet<string> = new Set();

/** The usage object of an embedding reply. The cost is decimal text and is written unchanged, so that no float rounds it. */
export function encodeUsage({ promptTokens, costUsd, isEstimated }: PricedPrompt): string {
  const flag = isEstimated ? ',"estimated":true' : '';
  return `{"prompt_tokens":${promptTokens},"total_tokens":${promptTokens},"cost":${costUsd}${flag}}`;
}

/** A provider's own usage object with our cost in it. Counts that differ from what is charged are corrected. */
export function correctUsage(usage: OriginalBody, { promptTokens, costUsd, isEstimated }: PricedPrompt): string {
  const charged = String(promptTokens);
  const wrong = ['prompt_tokens', 'total_tokens'].filter((name) => readMember(usage, name) !== charged);
  const flag = isEstimated ? [['estimated', 'true'] as const] : [];
  return editBody(usage, { set: new Map([...wrong.map((name) => [name, charged] as const), ['cost', costUsd], ...flag]), remove: NOTHING });
}
