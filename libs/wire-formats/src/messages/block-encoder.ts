import { stringifyExactJson, type Citation, type OpaqueState } from '@weir/canonical';
import { MESSAGES_FAMILY } from '../state/native-family';
import { nameOpaque } from '../reply/name-opaque';
import { PICTURES_DROPPED } from '../reply/read-picture';
import type { BlockEvent } from '../stream/block-events';
import type { ReplyContext } from '../dialect/wire-format';
import { isRedacted, redactedThinking, searchResult, searchUse, signatureOf, toolStateThinking } from './encode-blocks';
import { encodeCitation } from './encode-citation';

type MessagesBlockEncoder = {
  /** Expects the events of one block after the other. */
  encode(event: BlockEvent): void;
  /** The text written since the last call. */
  take(): string;
  hasRefused(): boolean;
};

type Draft = {
  out: string;
  index: number;
  isOpen: boolean;
  /** A delta of the open block up to its own members. */
  deltaHead: string;
  text: string;
  state: OpaqueState | undefined;
  /** Citations that still wait for the text they stand in. */
  citations: Citation[];
  isCustomCall: boolean;
  searchId: string;
  hasRefused: boolean;
  readonly noteDropped: ReplyContext['noteDropped'];
};

const START = 'event: content_block_start\ndata: {"type":"content_block_start","index":';
const DELTA = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":';
const STOP = 'event: content_block_stop\ndata: {"type":"content_block_stop","index":';

const EMPTY_TEXT = { type: 'text', text: '' };
const EMPTY_THINKING = { type: 'thinking', thinking: '', signature: '' };

/** Numbers blocks densely and opens them lazily, so that blocks without content leave no trace. */
export function createMessagesBlockEncoder(noteDropped?: ReplyContext['noteDropped']): MessagesBlockEncoder {
  const draft: Draft = {
    out: '',
    index: -1,
    isOpen: false,
    deltaHead: '',
    text: '',
    state: undefined,
    citations: [],
    isCustomCall: false,
    searchId: '',
    hasRefused: false,
    noteDropped,
  };
  return { encode: (event) => encodeEvent(draft, event), take: () => take(draft), hasRefused: () => draft.hasRefused };
}

function take(draft: Draft): string {
  const taken = draft.out;
  draft.out = '';
  return taken;
}

function encodeEvent(draft: Draft, event: BlockEvent): void {
  switch (event.type) {
    case 'text-delta':
      return addText(draft, event.text);
    case 'reasoning-delta':
      return addThought(draft, event.text);
    case 'tool-call-delta':
      return addArguments(draft, event.argumentsText);
    case 'refusal-delta':
      draft.hasRefused ||= event.text !== '';
      return addText(draft, event.text);
    case 'text-end':
    case 'refusal-end':
      return endText(draft);
    case 'reasoning-end':
      return endThought(draft);
    default:
      return encodeRare(draft, event);
  }
}

function encodeRare(draft: Draft, event: BlockEvent): void {
  switch (event.type) {
    case 'tool-call-start':
      return beginCall(draft, event);
    case 'tool-call-end':
      return endCall(draft);
    case 'citation':
      return addCitation(draft, event.citation);
    case 'reasoning-state':
      draft.state = event.state;
      return;
    case 'web-search-start':
      draft.searchId = event.id;
      return open(draft, searchUse(event.id, ''));
    case 'web-search-end':
      return endSearch(draft, event);
    case 'image':
      return draft.noteDropped?.(PICTURES_DROPPED);
    case 'opaque':
      return event.content.family === MESSAGES_FAMILY ? addWhole(draft, event.content.raw) : draft.noteDropped?.(nameOpaque(event.content));
    default:
  }
}

function open(draft: Draft, block: unknown): void {
  draft.index += 1;
  draft.isOpen = true;
  draft.out += `${START}${draft.index},"content_block":${stringifyExactJson(block)}}\n\n`;
  draft.deltaHead = `${DELTA}${draft.index},"delta":`;
}

function close(draft: Draft): void {
  if (draft.isOpen) draft.out += `${STOP}${draft.index}}\n\n`;
  draft.isOpen = false;
  draft.text = '';
  draft.state = undefined;
}

function addWhole(draft: Draft, block: unknown): void {
  open(draft, block);
  close(draft);
}

function addText(draft: Draft, delta: string): void {
  if (delta === '') return;
  if (!draft.isOpen) openText(draft);
  draft.text += delta;
  draft.out += `${draft.deltaHead}{"type":"text_delta","text":${JSON.stringify(delta)}}}\n\n`;
}

function addThought(draft: Draft, delta: string): void {
  if (delta === '') return;
  if (!draft.isOpen) open(draft, EMPTY_THINKING);
  draft.text += delta;
  draft.out += `${draft.deltaHead}{"type":"thinking_delta","thinking":${JSON.stringify(delta)}}}\n\n`;
}

/** The signature stands last in its block. */
function endThought(draft: Draft): void {
  if (isRedacted(draft.text, draft.state)) open(draft, redactedThinking(draft.state));
  else if (draft.state !== undefined) addSignature(draft, signatureOf(draft.state));
  close(draft);
}

function addSignature(draft: Draft, signature: string): void {
  if (!draft.isOpen) open(draft, EMPTY_THINKING);
  draft.out += `${draft.deltaHead}${JSON.stringify({ type: 'signature_delta', signature })}}\n\n`;
}

function addInput(draft: Draft, json: string): void {
  draft.out += `${draft.deltaHead}{"type":"input_json_delta","partial_json":${JSON.stringify(json)}}}\n\n`;
}

function beginCall(draft: Draft, event: Extract<BlockEvent, { type: 'tool-call-start' }>): void {
  if (event.state !== undefined) {
    addSignature(draft, toolStateThinking(event.id, event.state).signature);
    close(draft);
  }
  draft.isCustomCall = event.kind === 'custom';
  open(draft, { type: 'tool_use', id: event.id, name: event.name, input: {} });
  addInput(draft, draft.isCustomCall ? '{"input":"' : '');
}

/** A free-form input becomes the one argument `input`, escaped piece by piece. */
function addArguments(draft: Draft, piece: string): void {
  if (piece !== '') addInput(draft, draft.isCustomCall ? JSON.stringify(piece).slice(1, -1) : piece);
}

function endCall(draft: Draft): void {
  if (draft.isCustomCall) addInput(draft, '"}');
  close(draft);
}

function endSearch(draft: Draft, event: Extract<BlockEvent, { type: 'web-search-end' }>): void {
  addInput(draft, JSON.stringify({ query: event.query }));
  close(draft);
  const failed = event.errorCode === undefined ? {} : { errorCode: event.errorCode };
  addWhole(draft, searchResult({ id: draft.searchId, results: event.results, ...failed }));
}

/** A citation that quotes stands before its text; one that spans the text stands after it. */
function addCitation(draft: Draft, citation: Citation): void {
  const isWhole = citation.citedText !== undefined || citation.original?.family === MESSAGES_FAMILY;
  if (isWhole && draft.isOpen) sayCitation(draft, citation);
  else draft.citations.push(citation);
}

function sayCitation(draft: Draft, citation: Citation): void {
  const said = encodeCitation(citation, draft.text, draft.noteDropped);
  if (said !== undefined) draft.out += `${draft.deltaHead}${stringifyExactJson({ type: 'citations_delta', citation: said })}}\n\n`;
}

function openText(draft: Draft): void {
  open(draft, EMPTY_TEXT);
  const waiting = draft.citations;
  draft.citations = [];
  waiting.forEach((citation) => addCitation(draft, citation));
}

function endText(draft: Draft): void {
  if (draft.isOpen) draft.citations.forEach((citation) => sayCitation(draft, citation));
  draft.citations = [];
  close(draft);
}
