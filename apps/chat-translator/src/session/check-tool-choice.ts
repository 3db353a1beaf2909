import { visitTools } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';

type Json = Readonly<Record<string, unknown>>;

type Rule = {
  readonly words: ReadonlySet<unknown>;
  /** Types of a choice that is an object, and where each has the name of its tool; null: it has none. */
  readonly types: Readonly<Record<string, readonly string[] | null>>;
  /** A choice that is a word, and demands that a tool is used. */
  readonly forced: string;
  /** Members by which there are tools beside the list. */
  readonly alsoFrom: readonly string[];
};

const CHAT_COMPLETIONS: Rule = {
  words: new Set(['auto', 'none', 'required']),
  types: { function: ['function', 'name'], custom: ['custom', 'name'], allowed_tools: null },
  forced: 'required',
  alsoFrom: ['functions', 'web_search_options', 'plugins'],
};

/** The vendor's tools are chosen by their type. */
// prettier-ignore
const HOSTED = [
  'file_search', 'web_search', 'web_search_2025_08_26', 'web_search_preview', 'web_search_preview_2025_03_11', 'computer', 'computer_use',
  'computer_use_preview', 'code_interpreter', 'image_generation', 'mcp', 'local_shell', 'shell', 'apply_patch', 'tool_search',
  'programmatic_tool_calling', 'allowed_tools',
];

const RESPONSES: Rule = {
  words: new Set(['auto', 'none', 'required']),
  types: { function: ['name'], custom: ['name'], ...Object.fromEntries(HOSTED.map((type) => [type, null])) },
  forced: 'required',
  alsoFrom: ['prompt'],
};

const MESSAGES: Rule = {
  words: new Set(['auto', 'any', 'none']),
  types: { auto: null, any: null, none: null, tool: ['name'] },
  forced: 'any',
  alsoFrom: ['mcp_servers'],
};

const RULES: Readonly<Record<ChatDialect, Rule>> = {
  'chat-completions': CHAT_COMPLETIONS,
  responses: RESPONSES,
  messages: MESSAGES,
};

/** Tools that stand for several, whose names are not all in the request. */
const COLLECTIONS: ReadonlySet<unknown> = new Set(['namespace', 'mcp', 'mcp_toolset', 'tool_search']);

/**
 * Refuses a choice of tools that the caller's dialect does not know, or that names a tool which is not in the request, in
 * either lane: some providers ignore such a choice, and the reply would not be what was asked for.
 */
export function checkToolChoice(dialect: ChatDialect, json: Json): void {
  const choice = json['tool_choice'];
  if (choice === undefined || choice === null) return;
  const rule = RULES[dialect];
  if (typeof choice === 'string') return checkWord(choice, rule, json);
  if (!isObject(choice)) throw invalid('tool_choice', `must be ${listWords(rule)} or an object`);
  const { type } = choice;
  const path = typeof type === 'string' && Object.hasOwn(rule.types, type) ? rule.types[type] : undefined;
  if (path === undefined) throw invalid('tool_choice.type', `must be ${listNames(Object.keys(rule.types))}`);
  if (path === null) return type === rule.forced ? checkWord(rule.forced, rule, json) : undefined;
  checkNamed(readNamed(choice, path), ['tool_choice', ...path].join('.'), rule, json);
}

function checkWord(word: string, rule: Rule, json: Json): void {
  if (!rule.words.has(word)) throw invalid('tool_choice', `must be ${listWords(rule)} or an object`);
  if (word === rule.forced && !hasTools(json, rule)) throw invalid('tool_choice', `"${word}" needs at least one tool in tools`);
}

function hasTools(json: Json, { alsoFrom }: Rule): boolean {
  let found = alsoFrom.some((name) => isPresent(json[name]));
  visitTools(json, () => {
    found = true;
  });
  return found;
}

function readNamed(choice: Json, path: readonly string[]): unknown {
  let value: unknown = choice;
  for (const step of path) value = isObject(value) ? value[step] : undefined;
  return value;
}

function checkNamed(name: unknown, field: string, rule: Rule, json: Json): void {
  if (typeof name !== 'string' || name === '') throw invalid(field, 'must be the name of a tool');
  if (rule.alsoFrom.some((member) => isPresent(json[member]))) return;
  let found = false;
  visitTools(json, (tool) => {
    found ||= isNamed(tool, name);
  });
  if (found) return;
  throw invalid(field, `names the tool ${JSON.stringify(name.slice(0, 64))}, which is not in tools`);
}

function isNamed(tool: Json, name: string): boolean {
  if (COLLECTIONS.has(tool['type']) || tool['name'] === name) return true;
  return [tool['function'], tool['custom']].some((inner) => isObject(inner) && inner['name'] === name);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function listWords({ words }: Rule): string {
  return [...words].map((word) => JSON.stringify(word)).join(', ');
}

function listNames(names: readonly string[]): string {
  return `one of ${names.map((name) => JSON.stringify(name)).join(', ')}`;
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('invalid_request', `${field} ${why}.`, { field });
}
