import { REQUEST_FIELDS } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { isObject } from './field-readers';

/** Where each field stands in a dialect, by the name that encoders give it: that of chat completions. */
const PATHS: Readonly<Record<ChatDialect, ReadonlyMap<string, readonly string[]>>> = {
  'chat-completions': listPaths('chat-completions'),
  responses: listPaths('responses'),
  messages: listPaths('messages'),
};

function listPaths(dialect: ChatDialect): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.values(REQUEST_FIELDS).flatMap(({ name, paths }) => (paths[dialect] === undefined ? [] : [[name, paths[dialect]]])),
  );
}

/** What encoders name beside whole fields, where a dialect has another name for it. */
const PARTS: Readonly<Record<ChatDialect, ReadonlyMap<string, string>>> = {
  'chat-completions': new Map(),
  responses: new Map([['image_url.detail', 'input_image.detail']]),
  messages: new Map([['reasoning', 'thinking']]),
};

const OF_MESSAGES = 'messages.';

/** What a caller calls a field that an encoder names: of two names, the one that the caller's body uses. */
export function nameField(dialect: ChatDialect, name: string, body: Readonly<Record<string, unknown>>): string {
  const paths = PATHS[dialect].get(name);
  if (paths !== undefined) return pickPath(paths, name, body);
  const part = PARTS[dialect].get(name);
  if (part !== undefined) return part;
  return dialect === 'responses' && name.startsWith(OF_MESSAGES) ? `input.${name.slice(OF_MESSAGES.length)}` : name;
}

function pickPath(paths: readonly string[], name: string, body: Readonly<Record<string, unknown>>): string {
  const [first = name] = paths;
  const usual = paths.includes(name) ? name : first;
  if (paths.length === 1 || Object.hasOwn(body, name)) return usual;
  return paths.find((path) => path !== usual && holds(body, path)) ?? usual;
}

function holds(body: Readonly<Record<string, unknown>>, path: string): boolean {
  let value: unknown = body;
  for (const step of path.split('.')) value = isObject(value) ? value[step] : undefined;
  return value !== undefined && value !== null;
}
