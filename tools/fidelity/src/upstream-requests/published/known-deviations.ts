import type { Deviation } from './check-bodies';
import type { CheckedBody } from './checked-body';

export type KnownDeviation = {
  readonly name: string;
  /** Why what is sent is right all the same. */
  readonly reason: string;
  readonly explains: (deviation: Deviation, sent: CheckedBody) => boolean;
};

/** Words that a provider added to chat completions, by provider: its own documentation has them, the vendor's types cannot. */
const OWN_WORDS: Readonly<Record<string, RegExp>> = {
  mistral: /^(random_seed|messages\[\]\.name|messages\[\]\.content\[\]\.(type|document_url|document_name))$/,
  deepseek: /^(thinking|messages\[\]\.reasoning_content)$/,
  openrouter: /^(top_k|plugins|reasoning|messages\[\]\.(reasoning|reasoning_details))$/,
};

/** Every way in which a body may differ from the vendor's published types. A new row needs its reason. */
export const KNOWN_DEVIATIONS: readonly KnownDeviation[] = [
  {
    name: 'the caller’s own words',
    reason:
      'Where both speak one dialect, members that the gateway does not know are passed on, so that a caller can use what is newer than these types. Applies only where the caller’s own body differs in the same place.',
    explains: ({ path }, { ownPaths }) => ownPaths.has(path),
  },
  {
    name: 'the provider’s own words',
    reason: 'Providers that speak chat completions have members of their own beside it.',
    explains: ({ path }, { providerId }) => OWN_WORDS[providerId]?.test(path) === true,
  },
  {
    name: 'chances by the older version',
    reason:
      'The SDK’s types are those of API version 2026-10-21, which has no temperature, top_p and top_k. Requests are sent under 2023-06-01, which has them, and only to models that take them.',
    explains: ({ path }, { types, upstreamModel }) =>
      types.startsWith('anthropic') &&
      /^(temperature|top_p|top_k)$/.test(path) &&
      /-(haiku-4-5|sonnet-4-5|opus-4-[0-6]|m2)/i.test(upstreamModel),
  },
  {
    name: 'items that are stored nowhere',
    reason:
      'Messages of the assistant and reasoning of earlier turns have ids where the vendor stored them. Requests ask it to store nothing, so there are none to give; the vendor’s own SDKs leave them out as well. In the express lane only of its own reasoning whose id was made here.',
    explains: ({ path, problem }, { types, lane }) =>
      types === 'openai responses' &&
      path === 'input[]' &&
      (lane === 'translated' ? /type: "(message"; role: "assistant"|reasoning")/ : /type: "reasoning".*encrypted_content: string/).test(
        problem,
      ),
  },
  {
    name: 'a member the SDK lost',
    reason: 'max_tool_calls stands in the vendor’s OpenAPI document and in the SDK’s beta types; its other types leave it out.',
    explains: ({ path }, { types }) => types === 'openai responses' && path === 'max_tool_calls',
  },
];

/** A deviation in words, the same for the same fault in two bodies. */
export function describe({ path, problem }: Deviation): string {
  return `${path}: ${problem}`;
}
