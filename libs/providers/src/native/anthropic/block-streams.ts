import { asRecord, asText, parseJson, type JsonRecord } from '../../wire/json-value';
import { unwrapCustomInput } from '../../wire/remember-custom-tools';
import type { EventLog } from '../../streams/create-event-log';
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

type Kind = 'text' | 'thinking' | 'tool' | 'search' | 'opaque' | 'skipped';
/** `json`: the streamed input; `held` says that it is told at the end only. */
type Open = {
  readonly kind: Kind;
  readonly block: number;
  readonly raw: JsonRecord;
  json: string;
  signature: string;
  readonly isHeld: boolean;
};

const CHOICE = 0;

export function createBlockStreams(log: EventLog, context: DecodeContext): BlockStreams {
  const open = new Map<number, Open>();
  /** Searches that wait for their results, by id. */
  const searches = new Map<string, { readonly block: number; readonly query: string }>();
  let toolCalls = 0;

  function begin(raw: JsonRecord): Open {
    const kind = kindOf(raw);
    const isHeld = kind === 'tool' && context.customTools.has(String(raw['name']));
    const started: Open = { kind, block: kind === 'skipped' ? -1 : log.nextBlock(), raw: { ...raw }, json: '', signature: '', isHeld };
    const { block } = started;
    if (kind === 'text') {
      log.add({ type: 'text-start', choice: CHOICE, block });
      addText(started, raw['text']);
    } else if (kind === 'thinking') {
      log.add({ type: 'reasoning-start', choice: CHOICE, block });
      addThinking(started, raw['thinking']);
    } else if (kind === 'tool') {
      toolCalls += 1;
      const name = asText(raw['name']) ?? '';
      log.add({ type: 'tool-call-start', choice: CHOICE, block, id: asText(raw['id']) ?? '', name, kind: isHeld ? 'custom' : 'function' });
    }
    return started;
  }

  function addText({ block }: Open, text: unknown): void {
    if (typeof text === 'string' && text !== '') log.add({ type: 'text-delta', choice: CHOICE, block, text });
  }

  function addThinking({ block }: Open, text: unknown): void {
    if (typeof text === 'string' && text !== '') log.add({ type: 'reasoning-delta', choice: CHOICE, block, text });
  }

  function addJson(current: Open, text: unknown): void {
    if (typeof text !== 'string' || text === '') return;
    current.json += text;
    if (current.kind === 'tool' && !current.isHeld)
      log.add({ type: 'tool-call-delta', choice: CHOICE, block: current.block, argumentsText: text });
  }

  function endThinking({ block, raw, signature }: Open): void {
    const whole = signature === '' ? asText(raw['signature']) : signature;
    const redacted = raw['type'] === 'redacted_thinking' ? asText(raw['data']) : undefined;
    const { family } = context;
    if (redacted !== undefined)
      log.add({ type: 'reasoning-state', choice: CHOICE, block, state: { family, kind: 'redacted', value: redacted } });
    else if (whole !== undefined)
      log.add({ type: 'reasoning-state', choice: CHOICE, block, state: { family, kind: 'signature', value: whole } });
    log.add({ type: 'reasoning-end', choice: CHOICE, block });
  }

  function endTool({ block, raw, json, isHeld }: Open): void {
    const text = json === '' ? JSON.stringify(raw['input'] ?? {}) : json;
    if (isHeld) log.add({ type: 'tool-call-delta', choice: CHOICE, block, argumentsText: unwrapCustomInput(text) });
    else if (json === '') log.add({ type: 'tool-call-delta', choice: CHOICE, block, argumentsText: text });
    log.add({ type: 'tool-call-end', choice: CHOICE, block });
  }

  function endSearch({ block, raw, json }: Open): void {
    const query = readQuery(json === '' ? raw['input'] : parseJson(json));
    const id = asText(raw['id']) ?? '';
    searches.set(id, { block, query });
    log.add({ type: 'web-search-start', choice: CHOICE, block, id, query });
  }

  function endResults(raw: JsonRecord): void {
    const search = searches.get(String(raw['tool_use_id']));
    if (search === undefined) return log.add({ type: 'opaque', choice: CHOICE, block: log.nextBlock(), content: toOpaque(raw) });
    searches.delete(String(raw['tool_use_id']));
    log.add({ type: 'web-search-end', choice: CHOICE, ...search, ...decodeResults(raw, context) });
  }

  function end(current: Open): void {
    const { kind, block, raw, json } = current;
    if (kind === 'text') log.add({ type: 'text-end', choice: CHOICE, block });
    else if (kind === 'thinking') endThinking(current);
    else if (kind === 'tool') endTool(current);
    else if (kind === 'search') endSearch(current);
    else if (kind === 'skipped') endResults(raw);
    else
      log.add({ type: 'opaque', choice: CHOICE, block, content: toOpaque(json === '' ? raw : { ...raw, input: parseJson(json) ?? {} }) });
  }

  return {
    start(index, raw) {
      const left = open.get(index);
      if (left !== undefined) end(left);
      open.set(index, begin(raw));
    },
    delta(index, delta) {
      const current = open.get(index);
      if (current === undefined) return;
      switch (delta['type']) {
        case 'text_delta':
          return addText(current, delta['text']);
        case 'thinking_delta':
          return addThinking(current, delta['thinking']);
        case 'signature_delta':
          current.signature += asText(delta['signature']) ?? '';
          return;
        case 'input_json_delta':
          return addJson(current, delta['partial_json']);
        case 'citations_delta':
          if (current.kind === 'text')
            log.add({ type: 'citation', choice: CHOICE, block: current.block, citation: decodeCitation(delta['citation']) });
          return;
        default:
          Object.assign(current.raw, asRecord({ ...delta, type: current.raw['type'] }));
      }
    },
    stop(index) {
      const current = open.get(index);
      if (current === undefined) return;
      open.delete(index);
      end(current);
    },
    closeAll() {
      for (const current of open.values()) end(current);
      open.clear();
      for (const search of searches.values())
        log.add({ type: 'web-search-end', choice: CHOICE, ...search, results: [], errorCode: 'unavailable' });
      searches.clear();
    },
    hasToolCalls: () => toolCalls > 0,
  };
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
    case 'server_tool_use':
      return isWebSearch(raw) ? 'search' : 'opaque';
    case 'web_search_tool_result':
      return 'skipped';
    default:
      return 'opaque';
  }
}
