import { stringifyExactJson } from '@weir/canonical';
import type { EventLog } from '../../streams/create-event-log';
import { asRecord, asText, parseExact, type JsonRecord } from '../../wire/json-value';
import { unwrapCustomInput } from '../../wire/remember-custom-tools';
import { decodeCitation, decodeResults, isWebSearch, readQuery, toOpaque, type DecodeContext } from './decode-blocks';

/** The content blocks of one message as they stream in. */
export type BlockStreams = {
  start(index: number, block: JsonRecord): void;
  delta(index: number, delta: JsonRecord): void;
  stop(index: number): void;
  /** Ends what the provider left open. */
  closeAll(): void;
  hasToolCalls(): boolean;
};

type Kind = 'text' | 'thinking' | 'tool' | 'search' | 'results' | 'opaque';
type Open = {
  readonly kind: Kind;
  /** -1 for the results of a search, which belong to the search's own block. */
  readonly block: number;
  readonly raw: JsonRecord;
  /** The streamed input. */
  json: string;
  signature: string;
  /** The input of a free-form tool is emitted at the end, unwrapped. */
  readonly isHeld: boolean;
};
type Streams = {
  readonly log: EventLog;
  readonly context: DecodeContext;
  readonly open: Map<number, Open>;
  /** Searches that wait for their results, by id. */
  readonly searches: Map<string, { readonly block: number; readonly query: string }>;
  toolCalls: number;
};

const choice = 0;

export function createBlockStreams(log: EventLog, context: DecodeContext): BlockStreams {
  const streams: Streams = { log, context, open: new Map(), searches: new Map(), toolCalls: 0 };
  const { open, searches } = streams;
  return {
    start(index, raw) {
      const left = open.get(index);
      if (left !== undefined) end(streams, left);
      open.set(index, begin(streams, raw));
    },
    delta(index, delta) {
      const current = open.get(index);
      if (current !== undefined) extend(log, current, delta);
    },
    stop(index) {
      const current = open.get(index);
      if (current === undefined) return;
      open.delete(index);
      end(streams, current);
    },
    closeAll() {
      for (const current of open.values()) end(streams, current);
      open.clear();
      for (const search of searches.values()) log.add({ type: 'web-search-end', choice, ...search, results: [], errorCode: 'unavailable' });
      searches.clear();
    },
    hasToolCalls: () => streams.toolCalls > 0,
  };
}

function begin(streams: Streams, raw: JsonRecord): Open {
  const { log, context } = streams;
  const kind = kindOf(raw);
  const name = asText(raw['name']) ?? '';
  const isHeld = kind === 'tool' && context.customTools.has(name);
  const block = kind === 'results' ? -1 : log.nextBlock();
  if (kind === 'text') {
    log.add({ type: 'text-start', choice, block });
    addText(log, block, raw['text']);
  } else if (kind === 'thinking') {
    log.add({ type: 'reasoning-start', choice, block });
    addThinking(log, block, raw['thinking']);
  } else if (kind === 'tool') {
    streams.toolCalls += 1;
    log.add({ type: 'tool-call-start', choice, block, id: asText(raw['id']) ?? '', name, kind: isHeld ? 'custom' : 'function' });
  }
  return { kind, block, raw: { ...raw }, json: '', signature: '', isHeld };
}

function extend(log: EventLog, current: Open, delta: JsonRecord): void {
  const { block, kind } = current;
  switch (delta['type']) {
    case 'text_delta':
      return addText(log, block, delta['text']);
    case 'thinking_delta':
      return addThinking(log, block, delta['thinking']);
    case 'signature_delta':
      current.signature += asText(delta['signature']) ?? '';
      return;
    case 'input_json_delta':
      return addJson(log, current, delta['partial_json']);
    case 'citations_delta':
      if (kind === 'text') log.add({ type: 'citation', choice, block, citation: decodeCitation(delta['citation']) });
      return;
    default:
      Object.assign(current.raw, asRecord({ ...delta, type: current.raw['type'] }));
  }
}

function addText(log: EventLog, block: number, text: unknown): void {
  if (typeof text === 'string' && text !== '') log.add({ type: 'text-delta', choice, block, text });
}

function addThinking(log: EventLog, block: number, text: unknown): void {
  if (typeof text === 'string' && text !== '') log.add({ type: 'reasoning-delta', choice, block, text });
}

function addJson(log: EventLog, current: Open, text: unknown): void {
  if (typeof text !== 'string' || text === '') return;
  current.json += text;
  if (current.kind === 'tool' && !current.isHeld) log.add({ type: 'tool-call-delta', choice, block: current.block, argumentsText: text });
}

function end(streams: Streams, current: Open): void {
  const { log, context } = streams;
  const { kind, block, raw, json } = current;
  switch (kind) {
    case 'text':
      return log.add({ type: 'text-end', choice, block });
    case 'thinking':
      return endThinking(log, context, current);
    case 'tool':
      return endTool(log, current);
    case 'search':
      return endSearch(streams, current);
    case 'results':
      return endResults(streams, raw);
    case 'opaque':
      return log.add({ type: 'opaque', choice, block, content: toOpaque(json === '' ? raw : { ...raw, input: parseExact(json) ?? {} }) });
  }
}

function endThinking(log: EventLog, { family }: DecodeContext, { block, raw, signature }: Open): void {
  const isRedacted = raw['type'] === 'redacted_thinking';
  const value = isRedacted ? asText(raw['data']) : (asText(signature) ?? asText(raw['signature']));
  const kind = isRedacted ? 'redacted' : 'signature';
  if (value !== undefined) log.add({ type: 'reasoning-state', choice, block, state: { family, kind, value } });
  log.add({ type: 'reasoning-end', choice, block });
}

function endTool(log: EventLog, { block, raw, json, isHeld }: Open): void {
  const text = json === '' ? stringifyExactJson(raw['input'] ?? {}) : json;
  if (isHeld) log.add({ type: 'tool-call-delta', choice, block, argumentsText: unwrapCustomInput(text) });
  else if (json === '') log.add({ type: 'tool-call-delta', choice, block, argumentsText: text });
  log.add({ type: 'tool-call-end', choice, block });
}

/** The query is known when its input is whole: only then does the search begin for our readers. */
function endSearch({ log, searches }: Streams, { block, raw, json }: Open): void {
  const query = readQuery(json === '' ? raw['input'] : parseExact(json));
  const id = asText(raw['id']) ?? '';
  searches.set(id, { block, query });
  log.add({ type: 'web-search-start', choice, block, id, query });
}

function endResults({ log, context, searches }: Streams, raw: JsonRecord): void {
  const id = String(raw['tool_use_id']);
  const search = searches.get(id);
  if (search === undefined) return log.add({ type: 'opaque', choice, block: log.nextBlock(), content: toOpaque(raw) });
  searches.delete(id);
  log.add({ type: 'web-search-end', choice, ...search, ...decodeResults(raw, context) });
}

function kindOf(raw: JsonRecord): Kind {
  switch (raw['type']) {
    case 'text':
      return 'text';
    case 'thinking':
    case 'redacted_thinking':
      return 'thinking';
    case 'tool_use':
      return 'tool';
    case 'web_search_tool_result':
      return 'results';
    default:
      return isWebSearch(raw) ? 'search' : 'opaque';
  }
}
