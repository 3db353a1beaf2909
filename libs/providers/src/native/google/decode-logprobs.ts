import { asArray, asRecord, asText } from '../../wire/json-value';

/** Tokens with their chances, in the chat-completions shape. */
export type Logprobs = { readonly content: readonly unknown[] };

/** `logprobsResult` of a candidate; undefined where nobody asked for it. */
export function decodeLogprobs(result: unknown): Logprobs | undefined {
  const told = asRecord(result);
  const alternatives = asArray(told?.['topCandidates']);
  const content = asArray(told?.['chosenCandidates']).map((chosen, index) => ({
    ...decodeToken(chosen),
    top_logprobs: asArray(asRecord(alternatives[index])?.['candidates']).map(decodeToken),
  }));
  return content.length === 0 ? undefined : { content };
}

/** A chance of one, whose logarithm is zero, is left out of the provider's JSON. */
function decodeToken(value: unknown) {
  const told = asRecord(value);
  const token = asText(told?.['token']) ?? '';
  const chance = told?.['logProbability'];
  return { token, logprob: typeof chance === 'number' ? chance : 0, bytes: [...Buffer.from(token)] };
}
