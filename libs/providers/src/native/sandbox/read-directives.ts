/** What the last message of the user tells the sandbox to do. Everything else of the message is echoed. */
export type Directives = {
  readonly text: string;
  /** Answer with exactly this many tokens. */
  readonly tokens?: number;
  /** Milliseconds before the first byte, and between frames. */
  readonly delayMs: number;
  readonly gapMs: number;
  /** Answer with this status and an error body. */
  readonly status?: number;
  /** Break the connection after this many frames. */
  readonly cut?: number;
  /** Never answer. */
  readonly isHanging: boolean;
  readonly hidesUsage: boolean;
  readonly calls: readonly { readonly name: string; readonly argumentsText: string | undefined }[];
};

export const TOKENS_MAX = 100_000;
export const WAIT_MS_MAX = 600_000;

const DIRECTIVE = /(?<=^|\s)!(?:(tokens|delay|gap|status|cut)[ \t]+(\d+)(?=\s|$)|(hang|no-usage)(?=\s|$)|tool[ \t]+([A-Za-z0-9_.-]+))/g;

/** Directives stand at the beginning of the message or after a space. Numbers beyond the limits are taken as the limit. */
export function readDirectives(message: string): Directives {
  if (!message.includes('!')) return { text: message, delayMs: 0, gapMs: 0, isHanging: false, hidesUsage: false, calls: [] };
  const numbers: Partial<Record<string, number>> = {};
  const flags = new Set<string>();
  const calls: { name: string; argumentsText: string | undefined }[] = [];
  let rest = '';
  let position = 0;
  DIRECTIVE.lastIndex = 0;
  for (const match of message.matchAll(DIRECTIVE)) {
    if (match.index < position) continue; // inside the arguments of a tool directive
    rest += message.slice(position, match.index);
    position = match.index + match[0].length;
    const [, number, value, flag, tool] = match;
    if (number !== undefined) numbers[number] = Number(value);
    else if (flag !== undefined) flags.add(flag);
    else if (tool !== undefined) {
      const end = findJsonEnd(message, position);
      calls.push({ name: tool, argumentsText: end === -1 ? undefined : message.slice(position, end).trim() });
      if (end !== -1) position = end;
    }
  }
  rest += message.slice(position);
  const { tokens, delay = 0, gap = 0, status, cut } = numbers;
  return {
    text: rest.trim(),
    ...(tokens === undefined ? {} : { tokens: Math.min(TOKENS_MAX, tokens) }),
    delayMs: Math.min(WAIT_MS_MAX, delay),
    gapMs: Math.min(WAIT_MS_MAX, gap),
    ...(status === undefined || status < 400 || status > 599 ? {} : { status }),
    ...(cut === undefined ? {} : { cut }),
    isHanging: flags.has('hang'),
    hidesUsage: flags.has('no-usage'),
    calls,
  };
}

/** The end of the JSON object that stands next, or -1. */
function findJsonEnd(text: string, from: number): number {
  let position = from;
  while (text[position] === ' ') position += 1;
  if (text[position] !== '{') return -1;
  let depth = 0;
  let isInString = false;
  for (; position < text.length; position += 1) {
    const character = text[position];
    if (isInString) {
      if (character === '\\') position += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return position + 1;
    }
  }
  return -1;
}
