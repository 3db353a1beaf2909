import type { OpaqueState } from '@weir/canonical';
import { MESSAGES_FAMILY } from '../state/native-family';
import type { BlockEvent } from '../stream/block-events';
import {
  isRedacted,
  redactedThinking,
  searchId,
  searchResult,
  searchUse,
  signatureOf,
  toMessagesCitation,
  toolStateThinking,
} from './encode-blocks';

export type MessagesBlockEncoder = {
  /** Expects the events of one block after the other. */
  encode(event: BlockEvent): void;
  /** The text written since the last call. */
  take(): string;
  hasRefused(): boolean;
};

const START = 'event: content_block_start\ndata: {"type":"content_block_start","index":';
const DELTA = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":';
const STOP = 'event: content_block_stop\ndata: {"type":"content_block_stop","index":';

/** Numbers blocks densely and opens them lazily, so that blocks without content leave no trace. */
export function createMessagesBlockEncoder(): MessagesBlockEncoder {
  let out = '';
  let index = -1;
  let isOpen = false;
  let deltaHead = '';
  let text = '';
  let state: OpaqueState | undefined;
  let isCustomCall = false;
  let searchBlockId = '';
  let hasRefused = false;

  function open(block: unknown): void {
    index += 1;
    isOpen = true;
    out += `${START}${index},"content_block":${JSON.stringify(block)}}\n\n`;
    deltaHead = `${DELTA}${index},"delta":`;
  }

  function close(): void {
    if (isOpen) out += `${STOP}${index}}\n\n`;
    isOpen = false;
    text = '';
    state = undefined;
  }

  function addText(delta: string): void {
    if (delta === '') return;
    if (!isOpen) open({ type: 'text', text: '' });
    text += delta;
    out += `${deltaHead}{"type":"text_delta","text":${JSON.stringify(delta)}}}\n\n`;
  }

  function addThought(delta: string): void {
    if (delta === '') return;
    if (!isOpen) open({ type: 'thinking', thinking: '', signature: '' });
    text += delta;
    out += `${deltaHead}{"type":"thinking_delta","thinking":${JSON.stringify(delta)}}}\n\n`;
  }

  function endThought(): void {
    if (isRedacted(text, state)) open(redactedThinking(state));
    else if (state !== undefined) addSignature(signatureOf(state));
    close();
  }

  function addSignature(signature: string): void {
    if (!isOpen) open({ type: 'thinking', thinking: '', signature: '' });
    out += `${deltaHead}${JSON.stringify({ type: 'signature_delta', signature })}}\n\n`;
  }

  function addInput(json: string): void {
    out += `${deltaHead}{"type":"input_json_delta","partial_json":${JSON.stringify(json)}}}\n\n`;
  }

  function beginCall(event: Extract<BlockEvent, { type: 'tool-call-start' }>): void {
    if (event.state !== undefined) {
      addSignature(toolStateThinking(event.id, event.state).signature);
      close();
    }
    isCustomCall = event.kind === 'custom';
    open({ type: 'tool_use', id: event.id, name: event.name, input: {} });
    addInput(isCustomCall ? '{"input":"' : '');
  }

  /** A free-form input becomes the one argument `input`, escaped piece by piece. */
  function addArguments(piece: string): void {
    if (piece !== '') addInput(isCustomCall ? JSON.stringify(piece).slice(1, -1) : piece);
  }

  function endCall(): void {
    if (isCustomCall) addInput('"}');
    close();
  }

  function endSearch(event: Extract<BlockEvent, { type: 'web-search-end' }>): void {
    addInput(JSON.stringify({ query: event.query }));
    close();
    open(searchResult({ id: searchBlockId, results: event.results, ...(event.errorCode === undefined ? {} : { errorCode: event.errorCode }) }));
    close();
  }

  function encode(event: BlockEvent): void {
    switch (event.type) {
      case 'text-delta':
        return addText(event.text);
      case 'reasoning-delta':
        return addThought(event.text);
      case 'tool-call-delta':
        return addArguments(event.argumentsText);
      case 'refusal-delta':
        hasRefused = true;
        return addText(event.text);
      case 'text-end':
      case 'refusal-end':
        return close();
      case 'reasoning-end':
        return endThought();
      case 'tool-call-start':
        return beginCall(event);
      case 'tool-call-end':
        return endCall();
      default:
        return encodeRare(event);
    }
  }

  function encodeRare(event: BlockEvent): void {
    switch (event.type) {
      case 'citation':
        return addCitation(event);
      case 'reasoning-state':
        state = event.state;
        return;
      case 'web-search-start':
        searchBlockId = searchId(event.id);
        return open(searchUse(event.id, ''));
      case 'web-search-end':
        return endSearch(event);
      case 'opaque':
        if (event.content.family !== MESSAGES_FAMILY) return;
        open(event.content.raw);
        return close();
      default:
    }
  }

  function addCitation(event: Extract<BlockEvent, { type: 'citation' }>): void {
    const citation = toMessagesCitation(event.citation, text);
    if (citation === undefined) return;
    if (!isOpen) open({ type: 'text', text: '', citations: [] });
    out += `${deltaHead}${JSON.stringify({ type: 'citations_delta', citation })}}\n\n`;
  }

  function take(): string {
    const taken = out;
    out = '';
    return taken;
  }

  return { encode, take, hasRefused: () => hasRefused };
}
