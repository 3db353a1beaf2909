import type { Served } from './conversation';
import { asText } from './json';

/** What the headers of a response say about how the request was served. */
export function readServed(headers: Headers): Served {
  const read = (name: string): string | undefined => asText(headers.get(name));
  const [requestId, model, provider] = ['x-request-id', 'x-weir-model', 'x-weir-provider'].map(read);
  const notes = NOTES.flatMap(([name, describe]) => {
    const value = read(name);
    const note = value === undefined ? undefined : describe(value);
    return note === undefined ? [] : [note];
  });
  return {
    ...(requestId === undefined ? {} : { requestId }),
    ...(model === undefined ? {} : { model }),
    ...(provider === undefined ? {} : { provider }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

const NOTES: readonly (readonly [header: string, describe: (value: string) => string | undefined])[] = [
  ['x-weir-dropped', (fields) => `The provider has no word for: ${fields}.`],
  ['x-weir-approximated', (fields) => `Translated to something near: ${fields}.`],
  ['x-weir-max-tokens-clamped', (limit) => `The reply was limited to ${limit} tokens by what is left of a limit of money.`],
  ['x-weir-guardrail', (verdict) => (verdict === 'passed' ? undefined : `Guardrails: ${verdict}.`)],
];
