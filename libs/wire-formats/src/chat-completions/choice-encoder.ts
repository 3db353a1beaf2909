import { stringifyExactJson, type Citation, type FinishReason, type MediaSource } from '@weir/canonical';
import { CITATIONS_DROPPED, locateCitation } from '../reply/locate-citation';
import { nameOpaque } from '../reply/name-opaque';
import { noteFinish } from '../reply/note-finish';
import { PICTURES_DROPPED, readPicture } from '../reply/read-picture';
import { CHAT_FAMILY } from '../state/native-family';
import type { BlockEvent } from '../stream/block-events';
import { createBlockSequencer, type BlockSequencer } from '../stream/block-sequencer';
import type { ReplyContext } from '../dialect/wire-format';
import { encodeChatFinish, nameNative } from './encode-finish';
import { encodePicture } from './encode-picture';
import { encodeReasoningDetail } from './encode-reasoning';
import { followMembers, readVerdicts, type Verdicts } from './filter-verdicts';
import { createToolCallEncoder } from './tool-call-encoder';

type ChoiceFrame = {
  /** All of a chunk up to the delta, and all after the finish reason. */
  readonly head: string;
  readonly tail: string;
  readonly isLegacy: boolean;
  readonly noteDropped: ReplyContext['noteDropped'];
};

export type ChoiceEncoder = {
  begin(): string;
  encode(event: BlockEvent): string;
  finish(reason: FinishReason): string;
};

type Said = { readonly start: number; length: number; readonly citations: Citation[] };
type Thought = { text: string; readonly isSummary: boolean };

type Draft = {
  readonly frame: ChoiceFrame;
  /** What follows the delta while the choice goes on. */
  readonly open: string;
  readonly contentHead: string;
  readonly reasoningHead: string;
  readonly calls: BlockSequencer;
  readonly texts: Map<number, Said>;
  readonly thoughts: Map<number, Thought>;
  textLength: number;
  details: number;
  pictures: number;
  hasBegun: boolean;
  hasRefused: boolean;
  /** Chunks of tool calls on their way out. */
  pending: string;
};

/** The chunks of one choice. Text and reasoning pass as they come; tool calls one after another. */
export function createChoiceEncoder(frame: ChoiceFrame): ChoiceEncoder {
  const open = `,"finish_reason":null${frame.tail}`;
  const calls = createToolCallEncoder({
    isLegacy: frame.isLegacy,
    emit: (delta) => (draft.pending += `${frame.head}${delta}${open}`),
    nextDetail: () => draft.details++,
    noteDropped: frame.noteDropped,
  });
  const draft: Draft = {
    frame,
    open,
    contentHead: `${frame.head}{"content":`,
    reasoningHead: `${frame.head}{"reasoning_content":`,
    calls: createBlockSequencer(calls.encode),
    texts: new Map(),
    thoughts: new Map(),
    textLength: 0,
    details: 0,
    pictures: 0,
    hasBegun: false,
    hasRefused: false,
    pending: '',
  };
  return {
    begin: () => begin(draft),
    encode: (event) => (draft.hasBegun ? encodeEvent(draft, event) : begin(draft) + encodeEvent(draft, event)),
    finish: (reason) => finish(draft, reason),
  };
}

function begin(draft: Draft): string {
  if (draft.hasBegun) return '';
  draft.hasBegun = true;
  return `${draft.frame.head}{"role":"assistant","content":"","refusal":null}${draft.open}`;
}

function encodeEvent(draft: Draft, event: BlockEvent): string {
  switch (event.type) {
    case 'text-delta':
      return encodeText(draft, event);
    case 'reasoning-delta':
      return encodeThought(draft, event.block, event.text);
    case 'refusal-delta':
      return encodeRefusal(draft, event.text);
    case 'tool-call-start':
    case 'tool-call-delta':
    case 'tool-call-end':
      draft.calls.push(event);
      return takePending(draft);
    default:
      return encodeRare(draft, event);
  }
}

function encodeRare(draft: Draft, event: BlockEvent): string {
  switch (event.type) {
    case 'text-start':
      draft.texts.set(event.block, { start: draft.textLength, length: 0, citations: [] });
      return '';
    case 'citation':
      draft.texts.get(event.block)?.citations.push(event.citation);
      return '';
    case 'reasoning-start':
      draft.thoughts.set(event.block, { text: '', isSummary: event.isSummary === true });
      return '';
    case 'reasoning-state': {
      const thought = draft.thoughts.get(event.block) ?? { text: '', isSummary: false };
      const detail = encodeReasoningDetail({ type: 'reasoning', ...thought, state: event.state }, draft.details++);
      return chunk(draft, { reasoning_details: [detail] });
    }
    case 'image':
      return addPicture(draft, event.source);
    case 'opaque': {
      const picture = readPicture(event.content);
      if (picture !== undefined) return addPicture(draft, picture);
      const part = event.content.raw as { type?: unknown; audio?: unknown } | null;
      if (event.content.family === CHAT_FAMILY && part?.type === 'audio') return chunk(draft, { audio: part.audio });
      const verdicts = readVerdicts(event.content);
      if (verdicts !== undefined) return encodeVerdicts(draft, verdicts);
      draft.frame.noteDropped?.(nameOpaque(event.content));
      return '';
    }
    default:
      return '';
  }
}

function addPicture(draft: Draft, source: MediaSource): string {
  const picture = encodePicture(source, draft.pictures);
  if (picture === undefined) {
    draft.frame.noteDropped?.(PICTURES_DROPPED);
    return '';
  }
  draft.pictures += 1;
  return chunk(draft, { images: [picture] });
}

/** A chunk that says nothing else; `tail` closes the choice, the list of choices and the chunk. */
function encodeVerdicts({ frame }: Draft, { ofChoice, ofReply }: Verdicts): string {
  const tail = frame.tail.replace('}]', () => `}]${followMembers(ofReply)}`);
  return `${frame.head}{},"finish_reason":null${followMembers(ofChoice)}${tail}`;
}

function chunk(draft: Draft, delta: unknown): string {
  return `${draft.frame.head}${stringifyExactJson(delta)}${draft.open}`;
}

function encodeText(draft: Draft, event: Extract<BlockEvent, { type: 'text-delta' }>): string {
  if (event.text === '') return '';
  const said = draft.texts.get(event.block);
  if (said !== undefined) said.length += event.text.length;
  draft.textLength += event.text.length;
  const content = `${draft.contentHead}${JSON.stringify(event.text)}}`;
  return event.logprobs === undefined ? content + draft.open : `${content},"logprobs":${stringifyExactJson(event.logprobs)}${draft.open}`;
}

function encodeThought(draft: Draft, block: number, text: string): string {
  if (text === '') return '';
  const thought = draft.thoughts.get(block);
  if (thought !== undefined) thought.text += text;
  return `${draft.reasoningHead}${JSON.stringify(text)}}${draft.open}`;
}

function encodeRefusal(draft: Draft, text: string): string {
  if (text === '') return '';
  draft.hasRefused = true;
  return chunk(draft, { refusal: text });
}

/** A provider that filters without words may still say why. */
function finish(draft: Draft, reason: FinishReason): string {
  const begun = begin(draft);
  draft.calls.close();
  const why = reason.unified === 'content-filter' && !draft.hasRefused ? reason.explanation : undefined;
  const refused = why === undefined ? '' : chunk(draft, { refusal: why });
  noteFinish(reason, 'chat', draft.frame.noteDropped);
  const { native_finish_reason: native } = nameNative(reason);
  const own = native === undefined ? '' : `,"native_finish_reason":${JSON.stringify(native)}`;
  const last = `${draft.frame.head}{},"finish_reason":"${encodeChatFinish(reason, draft.frame.isLegacy)}"${own}${draft.frame.tail}`;
  return `${begun}${takePending(draft)}${refused}${encodeAnnotations(draft)}${last}`;
}

function encodeAnnotations(draft: Draft): string {
  const annotations: unknown[] = [];
  for (const { start, length, citations } of draft.texts.values()) {
    for (const citation of citations) {
      const located = locateCitation(citation, start, length);
      if (located === undefined) draft.frame.noteDropped?.(CITATIONS_DROPPED);
      else annotations.push({ type: 'url_citation', url_citation: located });
    }
  }
  return annotations.length === 0 ? '' : chunk(draft, { annotations });
}

function takePending(draft: Draft): string {
  const taken = draft.pending;
  draft.pending = '';
  return taken;
}
