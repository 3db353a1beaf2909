/** How the models of one family count, beside the tokenizer that counts most like theirs. */
export type TokenFamily = {
  readonly name: string;
  /** What their names look like, in small letters. The first family that fits counts. */
  readonly names: RegExp;
  readonly encoding: 'o200k_base' | 'cl100k_base';
  /** Tokens of theirs for one of the encoding. */
  readonly factor: number;
  /** What they bill for the signs around a reply, and around a call of a tool in it. */
  readonly perReply: number;
  readonly perCall: number;
  /** The same around a prompt and each of its turns, and what the definitions of tools take with their instructions. */
  readonly perPrompt: number;
  readonly perTurn: number;
  readonly perTools: number;
  /** Tokens of a definition of a tool for one of its JSON text. */
  readonly toolFactor: number;
};

const PLAIN = { encoding: 'o200k_base', perPrompt: 3, perTurn: 4, perTools: 0, toolFactor: 1 } as const;

/**
 * The encodings of the GPT models are public, and their factor is 1. All other figures were fitted to captured replies and
 * prompts whose providers reported their usage; `estimated-usage.int.spec.ts` of the chat worker prints the error of each.
 */
export const TOKEN_FAMILIES: readonly TokenFamily[] = [
  { ...PLAIN, name: 'gpt-oss', names: /gpt-oss/, factor: 1.04, perReply: 9, perCall: 1, perPrompt: 65 },
  {
    ...PLAIN,
    name: 'gpt-5',
    names: /gpt-5|\bo[134](-|$)|codex/,
    factor: 1,
    perReply: 9,
    perCall: 9,
    perPrompt: 2,
    toolFactor: 0.5,
    perTools: 10,
  },
  { ...PLAIN, name: 'gpt-4o', names: /gpt-4o|gpt-4\.[15]|chatgpt/, factor: 1, perReply: 1, perCall: 7, toolFactor: 0.7 },
  {
    ...PLAIN,
    name: 'gpt-4',
    names: /gpt-4|gpt-3\.?5|text-embedding/,
    encoding: 'cl100k_base',
    factor: 1,
    perReply: 0,
    perCall: 12,
    toolFactor: 0.4,
    perTools: 20,
  },
  {
    ...PLAIN,
    name: 'claude-5',
    names: /(sonnet|opus|haiku|fable)-5|opus-4[-.][78]/,
    factor: 1.36,
    perReply: 4,
    perCall: 36,
    perTurn: 1,
    perPrompt: 13,
    perTools: 600,
  },
  { ...PLAIN, name: 'claude', names: /claude/, factor: 1.12, perReply: 3, perCall: 33, perTurn: 1, perPrompt: 5, perTools: 480 },
  { ...PLAIN, name: 'gemini', names: /gemini|gemma/, factor: 1.06, perReply: 0, perCall: 8, perTurn: 0, perPrompt: 0 },
  { ...PLAIN, name: 'llama', names: /llama/, factor: 1.04, perReply: 1, perCall: 12, perTurn: 8, perPrompt: 1 },
  {
    ...PLAIN,
    name: 'mistral',
    names: /mi(s|ni)tral|ministral|magistral|codestral|pixtral|voxtral|devstral/,
    factor: 1.08,
    perReply: 1,
    perCall: 3,
    perTurn: 1,
    toolFactor: 0.7,
    perTools: 20,
  },
  { ...PLAIN, name: 'deepseek', names: /deepseek/, factor: 1.01, perReply: 1, perCall: 27, perPrompt: 0, perTools: 300 },
  { ...PLAIN, name: 'qwen', names: /qwen|qwq/, factor: 1.02, perReply: 0, perCall: 14 },
  {
    ...PLAIN,
    name: 'cohere',
    names: /command|cohere|\bembed-/,
    factor: 1.04,
    perReply: 1,
    perCall: 0,
    perTurn: 0,
    perPrompt: 0,
    toolFactor: 0.4,
  },
  { ...PLAIN, name: 'nova', names: /nova/, factor: 1, perReply: 2, perCall: 9, perTools: 560 },
  { ...PLAIN, name: 'kimi', names: /kimi|moonshot/, factor: 1.05, perReply: 1, perCall: 3 },
  { ...PLAIN, name: 'grok', names: /grok/, factor: 1, perReply: 1, perCall: 18 },
];

export const OTHER_FAMILY: TokenFamily = { ...PLAIN, name: 'other', names: /^/, factor: 1.04, perReply: 1, perCall: 9 };
