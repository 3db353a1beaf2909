import { asArray, asNumber, asRecord, asText } from '../../wire/json-value';

/** Tokens with their chances, in the chat-completions shape. */
export type Logprobs = { readonly content: readonly unknown[] };

/** `logprobsResult` of a candidate; undefined where no one asked for it. */
export function decodeLogprobs(result: unknown): Logprobs | undefined {
  const reported = asRecord(result);
  const alternatives = asArray(reported?.['topCandidates']);
  const content = asArray(reported?.['chosenCandidates']).map((chosen, index) => ({
    ...decodeToken(chosen),
    top_logprobs: asArray(asRecord(alternatives[index])?.['candidates']).map(decodeToken),
  }));
  return content.length === 0 ? undefined : { content };
}

/** A chance of one, whose logarithm is zero, is left out of the provider's JSON. */
function decodeToken(value: unknown) {
  const reported = asRecord(value);
  const token = asText(reported?.['token']) ?? '';
  return { token, logprob: asNumber(reported?.['logProbability']) ?? 0, bytes: [...Buffer.from(token)] };
}
