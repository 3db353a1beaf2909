/** What the last message of the user asks the sandbox to do. Everything else of the message is echoed. */
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
const WAIT_MS_MAX = 600_000;

const DIRECTIVE = /(?<=^|\s)!(?:(tokens|delay|gap|status|cut)[ \t]+(\d+)(?=\s|$)|(hang|no-usage)(?=\s|$)|tool[ \t]+([A-Za-z0-9_.-]+))/g;

/** Directives stand at the beginning of the message or after a space. Numbers beyond the limits are taken as the limit. */
export function readDirectives(message: string): Directives {
  if (!message.includes('!')) return { text: message, delayMs: 0, gapMs: 0, isHanging: false, hidesUsage: false, calls: [] };
  const found: Found = { numbers: new Map(), flags: new Set(), calls: [] };
  let rest = '';
  let position = 0;
  for (const match of message.matchAll(DIRECTIVE)) {
    if (match.index < position) continue; // inside the arguments of a tool directive
    rest += message.slice(position, match.index);
    position = takeDirective(found, match, message);
  }
  return toDirectives(found, (rest + message.slice(position)).trim());
}

type Found = { readonly numbers: Map<string, number>; readonly flags: Set<string>; readonly calls: Directives['calls'][number][] };

/** Returns where the directive ends. */
function takeDirective({ numbers, flags, calls }: Found, match: RegExpExecArray, message: string): number {
  const [whole, number, value, flag, tool] = match;
  const end = match.index + whole.length;
  if (number !== undefined) numbers.set(number, Number(value));
  else if (flag !== undefined) flags.add(flag);
  if (tool === undefined) return end;
  const jsonEnd = findJsonEnd(message, end);
  calls.push({ name: tool, argumentsText: jsonEnd === -1 ? undefined : message.slice(end, jsonEnd).trim() });
  return jsonEnd === -1 ? end : jsonEnd;
}

function toDirectives({ numbers, flags, calls }: Found, text: string): Directives {
  const tokens = numbers.get('tokens');
  const status = numbers.get('status') ?? 0;
  const cut = numbers.get('cut');
  return {
    text,
    ...(tokens === undefined ? {} : { tokens: Math.min(TOKENS_MAX, tokens) }),
    delayMs: Math.min(WAIT_MS_MAX, numbers.get('delay') ?? 0),
    gapMs: Math.min(WAIT_MS_MAX, numbers.get('gap') ?? 0),
    ...(status >= 400 && status <= 599 ? { status } : {}),
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
