import type { OpaqueState } from '@weir/canonical';

/**
 * Provider state travels through clients as one opaque string. What the caller's own dialect issued goes as it is; the
 * rest is tagged `gw1:<family>:<kind>:<value>[:<tool call id>]` (both base64url), so that it finds its way back to the
 * family that issued it and to no one else. The id is there when the state belongs to a tool call instead of reasoning.
 */
export type TaggedState = { readonly state: OpaqueState; readonly toolCallId?: string };

const PREFIX = 'gw1:';
const KINDS: ReadonlySet<string> = new Set(['signature', 'encrypted', 'redacted']);

export function encodeStateTag(tagged: TaggedState, nativeFamily: string): string {
  const { state, toolCallId } = tagged;
  if (toolCallId === undefined && state.family === nativeFamily && !state.value.startsWith(PREFIX)) return state.value;
  const owner = toolCallId === undefined ? '' : `:${toBase64(toolCallId)}`;
  return `${PREFIX}${state.family}:${state.kind}:${toBase64(state.value)}${owner}`;
}

/** Returns undefined for a tag that was damaged on the way: state is all or nothing. */
export function decodeStateTag(blob: string, native: { family: string; kind: OpaqueState['kind'] }): TaggedState | undefined {
  if (!blob.startsWith(PREFIX)) return blob === '' ? undefined : { state: { ...native, value: blob } };
  const [, family, kind, value, owner] = blob.split(':');
  if (family === undefined || family === '' || kind === undefined || !KINDS.has(kind) || value === undefined) return undefined;
  const state: OpaqueState = { family, kind: kind as OpaqueState['kind'], value: fromBase64(value) };
  return owner === undefined ? { state } : { state, toolCallId: fromBase64(owner) };
}

/** Whether a body holds state that some other family issued: it must not be sent to a provider as it is. */
export function hasStateTag(body: string | Buffer): boolean {
  return body.includes(`"${PREFIX}`);
}

function toBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64url').toString('utf8');
}
