import type { Citation, FinishReason } from '@weir/canonical';
import { locateCitation } from '../locate-citation';
import { CHAT_FAMILY } from '../state/native-family';
import { createBlockSequencer } from '../stream/block-sequencer';
import type { BlockEvent } from '../stream/block-events';
import { encodeChatFinish } from './encode-finish';
import { encodeReasoningDetail } from './encode-reasoning';
import { createToolCallEncoder } from './tool-call-encoder';

export type ChoiceFrame = {
  /** All of a chunk up to the delta, and all after the finish reason. */
  readonly head: string;
  readonly tail: string;
  readonly isLegacy: boolean;
};

export type ChoiceEncoder = {
  begin(): string;
  encode(event: BlockEvent): string;
  finish(reason: FinishReason): string;
};

/** The chunks of one choice. Text and reasoning pass as they come; tool calls one after another. */
export function createChoiceEncoder({ head, tail, isLegacy }: ChoiceFrame): ChoiceEncoder {
  const open = `,"finish_reason":null${tail}`;
  const contentHead = `${head}{"content":`;
  const reasoningHead = `${head}{"reasoning_content":`;
  const contentTail = `}${open}`;
  const texts = new Map<number, { start: number; length: number; citations: Citation[] }>();
  const thoughts = new Map<number, { text: string; isSummary: boolean }>();
  let textLength = 0;
  let details = 0;
  let hasBegun = false;
  let hasRefused = false;
  let pending = '';
  const calls = createToolCallEncoder({ isLegacy, emit: (delta) => (pending += `${head}${delta}${open}`), nextDetail: () => details++ });
  const sequencer = createBlockSequencer(calls.encode);

  function begin(): string {
    if (hasBegun) return '';
    hasBegun = true;
    return `${head}{"role":"assistant","content":"","refusal":null}${open}`;
  }

  function encode(event: BlockEvent): string {
    if (!hasBegun) return begin() + encode(event);
    switch (event.type) {
      case 'text-delta':
        return encodeText(event.block, event.text, event.logprobs);
      case 'reasoning-delta':
        return encodeThought(event.block, event.text);
      case 'refusal-delta':
        hasRefused = true;
        return event.text === '' ? '' : `${head}{"refusal":${JSON.stringify(event.text)}${contentTail}`;
      case 'tool-call-start':
      case 'tool-call-delta':
      case 'tool-call-end':
        sequencer.push(event);
        return takePending();
      default:
        return encodeRare(event);
    }
  }

  function encodeText(block: number, text: string, logprobs: unknown): string {
    if (text === '') return '';
    const told = texts.get(block);
    if (told !== undefined) told.length += text.length;
    textLength += text.length;
    if (logprobs === undefined) return `${contentHead}${JSON.stringify(text)}${contentTail}`;
    return `${contentHead}${JSON.stringify(text)}},"logprobs":${JSON.stringify(logprobs)}${open}`;
  }

  function encodeThought(block: number, text: string): string {
    if (text === '') return '';
    const thought = thoughts.get(block);
    if (thought !== undefined) thought.text += text;
    return `${reasoningHead}${JSON.stringify(text)}${contentTail}`;
  }

  function encodeRare(event: BlockEvent): string {
    switch (event.type) {
      case 'text-start':
        texts.set(event.block, { start: textLength, length: 0, citations: [] });
        return '';
      case 'citation':
        texts.get(event.block)?.citations.push(event.citation);
        return '';
      case 'reasoning-start':
        thoughts.set(event.block, { text: '', isSummary: event.isSummary === true });
        return '';
      case 'reasoning-state': {
        const thought = thoughts.get(event.block) ?? { text: '', isSummary: false };
        const detail = encodeReasoningDetail({ type: 'reasoning', ...thought, state: event.state }, details++);
        return `${head}${JSON.stringify({ reasoning_details: [detail] })}${open}`;
      }
      case 'opaque':
        return encodeAudio(event.content.family, event.content.raw);
      default:
        return '';
    }
  }

  function encodeAudio(family: string, raw: unknown): string {
    const part = raw as { type?: unknown; audio?: unknown } | null;
    if (family !== CHAT_FAMILY || part?.type !== 'audio') return '';
    return `${head}${JSON.stringify({ audio: part.audio })}${open}`;
  }

  function finish(reason: FinishReason): string {
    const begun = begin();
    sequencer.close();
    const why = reason.unified === 'content-filter' && !hasRefused ? reason.explanation : undefined;
    const refused = why === undefined ? '' : `${head}${JSON.stringify({ refusal: why })}${open}`;
    const word = encodeChatFinish(reason, isLegacy);
    return `${begun}${takePending()}${refused}${encodeAnnotations()}${head}{},"finish_reason":"${word}"${tail}`;
  }

  function encodeAnnotations(): string {
    const annotations: unknown[] = [];
    for (const { start, length, citations } of texts.values()) {
      for (const citation of citations) {
        const located = locateCitation(citation, start, length);
        if (located !== undefined) annotations.push({ type: 'url_citation', url_citation: located });
      }
    }
    return annotations.length === 0 ? '' : `${head}${JSON.stringify({ annotations })}${open}`;
  }

  function takePending(): string {
    const taken = pending;
    pending = '';
    return taken;
  }

  return { begin, encode, finish };
}
