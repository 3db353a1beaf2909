import type { ChannelKind } from '../screen/channel';
import type { Leaf } from './walk-json';

/** Members that hold no words: ids, types, addresses of media, bytes, state that has to come back unchanged. */
const WORDLESS: ReadonlySet<string> = new Set(
  (
    'type role id call_id tool_call_id tool_use_id item_id response_id model status object media_type mime_type format detail data ' +
    'file_data file_id file_url image_url url uri b64_json partial_image_b64 signature thought_signature encrypted_content finish_reason ' +
    'stop_reason native_finish_reason phase format effort quality ttl service_tier system_fingerprint cache_control logprobs obfuscation name server_label'
  ).split(' '),
);
/** Members under which everything is a tool's: what it is called with. */
const FREE: ReadonlySet<string> = new Set(['input', 'arguments']);

type Path = readonly (string | number)[];

/**
 * How a place in a reply is to be read; undefined when there are no words in it. `root` is how many members
 * of the path lead to where messages begin.
 */
export function readPlace({ kind, path }: Pick<Leaf, 'kind' | 'path'>, json: unknown, root: number): ChannelKind | undefined {
  const free = path.findIndex((step, index) => index >= root && typeof step === 'string' && FREE.has(step));
  if (free !== -1 && free < path.length - 1 && isToolInput(path, json, free)) return 'auto';
  if (kind !== 'string') return undefined;
  const wordless = path.find((step, index) => index >= root && typeof step === 'string' && WORDLESS.has(step));
  if (wordless !== undefined) return wordless === 'data' && isTextSource(path, json) ? 'text' : undefined;
  return path.at(-1) === 'arguments' ? 'json' : 'auto';
}

/** Lists of content parts are called `input` and `arguments` nowhere but at the root. */
export function isToolInput(path: Path, json: unknown, at: number): boolean {
  return typeof resolve(json, path.slice(0, at + 1)) === 'object';
}

/** A document given as plain text. */
export function isTextSource(path: Path, json: unknown): boolean {
  const parent = resolve(json, path.slice(0, -1));
  return typeof parent === 'object' && parent !== null && (parent as { type?: unknown }).type === 'text';
}

export function resolve(json: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (typeof value === 'object' && value !== null ? (value as never)[step] : undefined), json);
}
