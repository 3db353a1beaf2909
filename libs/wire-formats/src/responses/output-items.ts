import { parseJson, type MediaSource, type OpaqueState, type WebSearchResult } from '@weir/canonical';
import { requestCore } from '../reply/mint-reply-id';
import { RESPONSES_FAMILY } from '../state/native-family';
import { encodeStateTag } from '../state/state-tag';
import type { ReplyContext } from '../dialect/wire-format';
import { mapCalledNames, TOOL_SEARCH, type CalledNames } from './tool-namespace';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export type Call = {
  readonly itemId: string;
  readonly callId: string;
  readonly name: string;
  readonly kind: 'function' | 'custom';
  readonly argumentsText: string;
};

export type Search = {
  readonly itemId: string;
  readonly query: string;
  readonly results: readonly WebSearchResult[];
  readonly isFailed: boolean;
};

type Reasoning = {
  readonly itemId: string;
  readonly text: string;
  readonly isSummary: boolean;
  readonly state?: OpaqueState | undefined;
};

/** What the items of one reply need to know of its request. */
export type ItemContext = {
  /** Makes item ids: the same reply has the same ids. */
  readonly core: string;
  readonly names: CalledNames;
  readonly wantsSources: boolean;
  readonly noteDropped: ReplyContext['noteDropped'];
};

export function createItemContext(context: ReplyContext): ItemContext {
  const include = context.body['include'];
  return {
    core: requestCore(context),
    names: mapCalledNames(context.body),
    wantsSources: Array.isArray(include) && include.includes('web_search_call.action.sources'),
    noteDropped: context.noteDropped,
  };
}

export function itemId(prefix: string, index: number, context: ItemContext): string {
  return `${prefix}_${context.core}${index}`;
}

export function messageItem(id: string, status: ItemStatus, content: readonly unknown[]): unknown {
  return { id, type: 'message', status, role: 'assistant', content };
}

export function textPart(text: string, annotations: readonly unknown[], logprobs: readonly unknown[] = []): unknown {
  return { type: 'output_text', text, annotations, logprobs };
}

export function refusalPart(refusal: string): unknown {
  return { type: 'refusal', refusal };
}

export function callItem(call: Call, status: ItemStatus, names: CalledNames): unknown {
  if (isToolSearch(call, names)) return toolSearchItem(call, status);
  const known = names.namespaced.get(call.name);
  const name = known === undefined ? { name: call.name } : { name: known.name, namespace: known.namespace };
  const head = {
    id: call.itemId,
    type: call.kind === 'custom' ? 'custom_tool_call' : 'function_call',
    status,
    call_id: call.callId,
    ...name,
  };
  return call.kind === 'custom' ? { ...head, input: call.argumentsText } : { ...head, arguments: call.argumentsText };
}

/** Whether a call is a search among the tools that the caller makes: an item of its own kind, whose arguments come whole. */
export function isToolSearch({ name, kind }: Pick<Call, 'name' | 'kind'>, { hasToolSearch }: CalledNames): boolean {
  return hasToolSearch && name === TOOL_SEARCH && kind === 'function';
}

/** Arguments that were cut off are no JSON; the caller sees what there is. */
function toolSearchItem({ itemId: id, callId, argumentsText }: Call, status: ItemStatus): unknown {
  const asked = argumentsText === '' ? {} : (parseJson(argumentsText) ?? argumentsText);
  return { id, type: 'tool_search_call', execution: 'client', call_id: callId, status, arguments: asked };
}

/** How the ids of calls begin, by what they are. */
export function callPrefix(call: Pick<Call, 'name' | 'kind'>, names: CalledNames): string {
  if (isToolSearch(call, names)) return 'tsc';
  return call.kind === 'custom' ? 'ctc' : 'fc';
}

/** Nothing is stored here, so the state always goes along: the caller's next request is where it is needed. */
export function reasoningItem({ itemId: id, text, isSummary, state }: Reasoning): unknown {
  return {
    id,
    type: 'reasoning',
    summary: isSummary && text !== '' ? [{ type: 'summary_text', text }] : [],
    ...(isSummary || text === '' ? {} : { content: [{ type: 'reasoning_text', text }] }),
    ...(state === undefined ? {} : { encrypted_content: encodeStateTag({ state }, RESPONSES_FAMILY) }),
  };
}

/** State that belongs to a tool call travels in a reasoning item before it. */
export function toolStateItem(id: string, toolCallId: string, state: OpaqueState): unknown {
  return { id, type: 'reasoning', summary: [], encrypted_content: encodeStateTag({ state, toolCallId }, RESPONSES_FAMILY) };
}

/** Undefined for a picture at an address: an item holds its bytes. */
export function pictureItem(id: string, source: MediaSource): unknown {
  if (source.kind !== 'base64') return undefined;
  const format = /^image\/(png|jpeg|webp)$/.exec(source.mediaType)?.[1];
  return {
    id,
    type: 'image_generation_call',
    status: 'completed',
    result: source.data,
    ...(format === undefined ? {} : { output_format: format }),
  };
}

export function searchItem(search: Search, status: ItemStatus | 'failed', context: ItemContext): unknown {
  const sources = context.wantsSources ? { sources: search.results.map(({ url }) => ({ type: 'url', url })) } : {};
  return { id: search.itemId, type: 'web_search_call', status, action: { type: 'search', query: search.query, ...sources } };
}
