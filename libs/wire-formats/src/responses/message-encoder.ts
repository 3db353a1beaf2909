import { stringifyExactJson, type Citation } from '@weir/canonical';
import type { BlockEvent } from '../stream/block-events';
import { encodeAnnotations } from './encode-annotations';
import { prepareDelta, type EventWriter, type PreparedDelta } from './event-writer';
import { listLogprobs } from './list-logprobs';
import { itemId, messageItem, refusalPart, textPart, type ItemContext, type ItemStatus } from './output-items';

export type MessageEncoder = {
  encode(event: BlockEvent): void;
  close(status: ItemStatus): void;
  hasRefused(): boolean;
  /** The open message as far as it got; undefined when none is open. */
  peek(): unknown;
};

type OpenPart = { readonly kind: 'text' | 'refusal'; readonly delta: PreparedDelta; text: string; readonly logprobs: unknown[] };

type Draft = {
  readonly writer: EventWriter;
  readonly context: ItemContext;
  readonly output: string[];
  /** Empty while no message is open. */
  id: string;
  parts: unknown[];
  part: OpenPart | undefined;
  citations: Citation[];
  hasRefused: boolean;
};

/** The message item: texts and refusals that follow each other are its parts. Opened by the first word, not before. */
export function createMessageEncoder(base: Pick<Draft, 'writer' | 'context' | 'output'>): MessageEncoder {
  const draft: Draft = { ...base, id: '', parts: [], part: undefined, citations: [], hasRefused: false };
  return {
    encode: (event) => encodeEvent(draft, event),
    close: (status) => closeMessage(draft, status),
    hasRefused: () => draft.hasRefused,
    peek: () => peek(draft),
  };
}

function encodeEvent(draft: Draft, event: BlockEvent): void {
  switch (event.type) {
    case 'text-delta':
      return addText(draft, event.text, event.logprobs);
    case 'refusal-delta':
      return addRefusal(draft, event.text);
    case 'citation':
      draft.citations.push(event.citation);
      return;
    case 'text-end':
    case 'refusal-end':
      return endPart(draft);
    default:
  }
}

function addText(draft: Draft, text: string, logprobs: unknown): void {
  if (text === '') return;
  const part = (draft.part ??= openPart(draft, 'text'));
  part.text += text;
  const tokens = logprobs === undefined ? [] : listLogprobs(logprobs);
  if (tokens.length === 0) return draft.writer.emitDelta(part.delta, JSON.stringify(text));
  part.logprobs.push(...tokens);
  draft.writer.emitDelta({ ...part.delta, tail: `,"logprobs":${stringifyExactJson(tokens)}}\n\n` }, stringifyExactJson(text));
}

function addRefusal(draft: Draft, text: string): void {
  if (text === '') return;
  draft.hasRefused = true;
  const part = (draft.part ??= openPart(draft, 'refusal'));
  part.text += text;
  draft.writer.emitDelta(part.delta, JSON.stringify(text));
}

function openPart(draft: Draft, kind: OpenPart['kind']): OpenPart {
  if (draft.id === '') {
    draft.id = itemId('msg', draft.output.length, draft.context);
    const item = JSON.stringify(messageItem(draft.id, 'in_progress', []));
    draft.writer.emit('response.output_item.added', `"output_index":${draft.output.length},"item":${item}`);
  }
  const place = placeOf(draft);
  const empty = kind === 'text' ? textPart('', []) : refusalPart('');
  draft.writer.emit('response.content_part.added', `${place},"part":${JSON.stringify(empty)}`);
  const delta =
    kind === 'text' ? prepareDelta('response.output_text.delta', place, ',"logprobs":[]') : prepareDelta('response.refusal.delta', place);
  return { kind, delta, text: '', logprobs: [] };
}

function placeOf(draft: Draft): string {
  return `"item_id":"${draft.id}","output_index":${draft.output.length},"content_index":${draft.parts.length}`;
}

/** Citations wait until here: one without offsets spans the whole text of its part. */
function endPart(draft: Draft): void {
  const open = draft.part;
  const annotations = encodeAnnotations(draft.citations, open?.text.length ?? 0, draft.context.noteDropped);
  draft.part = undefined;
  draft.citations = [];
  if (open === undefined) return;
  const place = placeOf(draft);
  const text = JSON.stringify(open.text);
  if (open.kind === 'refusal') {
    draft.writer.emit('response.refusal.done', `${place},"refusal":${text}`);
    return donePart(draft, place, refusalPart(open.text));
  }
  annotations.forEach((annotation, index) => {
    const json = stringifyExactJson(annotation);
    draft.writer.emit('response.output_text.annotation.added', `${place},"annotation_index":${index},"annotation":${json}`);
  });
  draft.writer.emit('response.output_text.done', `${place},"text":${text},"logprobs":${stringifyExactJson(open.logprobs)}`);
  donePart(draft, place, textPart(open.text, annotations, open.logprobs));
}

function donePart(draft: Draft, place: string, part: unknown): void {
  draft.writer.emit('response.content_part.done', `${place},"part":${stringifyExactJson(part)}`);
  draft.parts.push(part);
}

function peek({ id, parts, part, citations, context }: Draft): unknown {
  if (id === '') return undefined;
  if (part === undefined) return messageItem(id, 'incomplete', parts);
  const { kind, text, logprobs } = part;
  const said =
    kind === 'refusal' ? refusalPart(text) : textPart(text, encodeAnnotations(citations, text.length, context.noteDropped), logprobs);
  return messageItem(id, 'incomplete', [...parts, said]);
}

function closeMessage(draft: Draft, status: ItemStatus): void {
  if (draft.id === '') return;
  const item = stringifyExactJson(messageItem(draft.id, status, draft.parts));
  draft.writer.emit('response.output_item.done', `"output_index":${draft.output.length},"item":${item}`);
  draft.output.push(item);
  draft.id = '';
  draft.parts = [];
}
