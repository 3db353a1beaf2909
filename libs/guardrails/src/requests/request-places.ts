import { isToolInput, isTextSource } from '../json/text-places';
import type { Leaf } from '../json/walk-json';
import type { ChannelKind } from '../screen/channel';
import { INTERFACE_NAMES, LEFT_OUT, NEVER_SENT, SETTINGS, UNMASKABLE } from './left-out';

/** How a place in a request is read. `isFixed`: nothing can stand there in place of what does. */
export type RequestPlace = { readonly kind: ChannelKind; readonly isFixed: boolean };

const OPEN: RequestPlace = { kind: 'auto', isFixed: false };
const ARGUMENTS: RequestPlace = { kind: 'json', isFixed: false };
const DOCUMENT: RequestPlace = { kind: 'text', isFixed: false };
const FIXED: RequestPlace = { kind: 'auto', isFixed: true };

/** Members under which everything is a tool's: what it is called with. */
const FREE: ReadonlySet<string | number> = new Set(['input', 'arguments', 'input_examples']);
/** Members under which names are the caller's own, and may be others. */
const LABELS: ReadonlySet<string | number> = new Set(['metadata']);
/** Members of a schema whose own members have names of the caller's. */
const NAMED: ReadonlySet<string | number> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependentRequired',
]);
/** Members under which numbers are data of the caller's, and not settings. */
const VALUES: ReadonlySet<string | number> = new Set(['enum', 'const', 'default', 'examples', 'input_examples', 'metadata']);
const TOKEN = /^\d{1,7}$/;

const FORMS = new Map(LEFT_OUT.flatMap(({ names, form }) => [...names].map((name) => [name, form] as const)));

/**
 * How a place of a request is read; undefined where it is left out. Everything is looked at that `left-out.ts` does not name, in
 * whatever lane the request goes: what is sent of it is made of these texts.
 */
export function readRequestPlace(leaf: Leaf, text: string, json: unknown): RequestPlace | undefined {
  const { path, kind } = leaf;
  const [root = ''] = path;
  if (NEVER_SENT.has(root)) return undefined;
  const free = findFree(path, json);
  if (kind === 'name') return readName(path, free);
  if (free !== -1 && free < path.length - 1) return path[free] === 'input_examples' && kind === 'number' ? FIXED : OPEN;
  if (kind === 'number') return !SETTINGS.has(root) || path.some((step) => VALUES.has(step)) ? FIXED : undefined;
  return readText(leaf, text, json);
}

function findFree(path: Leaf['path'], json: unknown): number {
  return path.findIndex((step, index) => index > 0 && FREE.has(step) && isToolInput(path, json, index));
}

function readName(path: Leaf['path'], free: number): RequestPlace | undefined {
  const at = path.length - 1;
  if (free !== -1 && free < at) return OPEN;
  const parent = path[at - 1] ?? '';
  const name = String(path[at]);
  if (at > 0 && LABELS.has(path[0] as string)) return OPEN;
  if (NAMED.has(parent)) return FIXED;
  if (INTERFACE_NAMES.has(name) || (parent === 'logit_bias' && TOKEN.test(name))) return undefined;
  return FIXED;
}

function readText({ path, start, end }: Leaf, text: string, json: unknown): RequestPlace | undefined {
  const name = path.includes('headers') ? 'headers' : lastName(path);
  const form = FORMS.get(name);
  if (form !== undefined) {
    if (name === 'data' && isTextSource(path, json)) return DOCUMENT;
    if (form.test(text.slice(start + 1, end - 1))) return undefined;
  }
  if (name === 'arguments') return ARGUMENTS;
  const isFixed = UNMASKABLE.has(name) || UNMASKABLE.has(String(path[0])) || (form !== undefined && !PROSE.has(name));
  return isFixed ? FIXED : OPEN;
}

/** Left out where they look like a word; what is said there otherwise is a text like any other. */
const PROSE: ReadonlySet<string> = new Set(['summary', 'data', 'style', 'detail']);

/** Of the member that a place is in, through however many lists. */
function lastName(path: Leaf['path']): string {
  for (let index = path.length - 1; index >= 0; index -= 1) {
    const step = path[index];
    if (typeof step === 'string') return step;
  }
  return '';
}
