import { stringifyExactJson, type ChatReply, type ContentBlock } from '@weir/canonical';
import { nameOpaque } from '../reply/name-opaque';
import { noteFinish } from '../reply/note-finish';
import { PICTURES_DROPPED } from '../reply/read-picture';
import { RESPONSES_FAMILY } from '../state/native-family';
import type { PricedUsage, ReplyContext } from '../dialect/wire-format';
import { encodeAnnotations } from './encode-annotations';
import { encodeEnd } from './encode-end';
import { encodeResponsesUsage } from './encode-usage';
import { listLogprobs } from './list-logprobs';
import {
  callItem,
  callPrefix,
  createItemContext,
  itemId,
  messageItem,
  pictureItem,
  reasoningItem,
  refusalPart,
  searchItem,
  textPart,
  toolStateItem,
  type ItemContext,
  type ItemStatus,
} from './output-items';
import { createResponseObject } from './response-object';

export function encodeResponsesReply(reply: ChatReply, priced: PricedUsage, context: ReplyContext): string {
  const choice = reply.choices[0];
  if (choice !== undefined) noteFinish(choice.finish, 'responses', context.noteDropped);
  const end = encodeEnd(choice?.finish ?? { unified: 'error', upstream: null });
  const content = listWords(choice?.content ?? [], context);
  const explained = explainRefusal(content, choice?.finish.explanation, end.incompleteReason);
  const draft: Draft = { items: [], parts: [], context: createItemContext(context), logprobs: listLogprobs(choice?.logprobs) };
  const items = encodeItems(explained, draft, end.status === 'completed' ? 'completed' : 'incomplete');
  return createResponseObject(reply, context).encode({
    ...end,
    output: items.map(stringifyExactJson),
    usageJson: encodeResponsesUsage(priced),
  });
}

/** A provider that filters without words may still say why. */
function explainRefusal(
  content: readonly ContentBlock[],
  explanation: string | undefined,
  reason: string | undefined,
): readonly ContentBlock[] {
  const isUnexplained = reason === 'content_filter' && explanation !== undefined && !content.some((block) => block.type === 'refusal');
  return isUnexplained ? [...content, { type: 'refusal', text: explanation }] : content;
}

function listWords(content: readonly ContentBlock[], { noteDropped }: ReplyContext): readonly ContentBlock[] {
  for (const block of content) {
    if (block.type === 'opaque' && !hasWord(block)) noteDropped?.(nameOpaque(block));
    if (block.type === 'image' && !hasWord(block)) noteDropped?.(PICTURES_DROPPED);
  }
  return content.filter(hasWord);
}

/** Whether a block leaves a trace in the output. */
function hasWord(block: ContentBlock): boolean {
  if (block.type === 'text' || block.type === 'refusal') return block.text !== '';
  if (block.type === 'opaque') return block.family === RESPONSES_FAMILY;
  if (block.type === 'image') return block.source.kind === 'base64';
  return block.type === 'reasoning' || block.type === 'tool-call' || block.type === 'web-search';
}

type Draft = {
  readonly items: unknown[];
  parts: unknown[];
  readonly context: ItemContext;
  /** Of the text, which providers that report them write in one piece; empty once it has them. */
  logprobs: readonly unknown[];
};

/** Neighbouring texts share one message; only the last item can have been cut off. */
function encodeItems(content: readonly ContentBlock[], draft: Draft, lastStatus: ItemStatus): unknown[] {
  content.forEach((block, index) => {
    const status = index === content.length - 1 ? lastStatus : 'completed';
    if (block.type === 'text' || block.type === 'refusal') {
      addPart(draft, block);
      return;
    }
    closeMessage(draft, 'completed');
    addItem(draft, block, status);
  });
  closeMessage(draft, lastStatus);
  return draft.items;
}

function addPart(draft: Draft, block: Extract<ContentBlock, { type: 'text' | 'refusal' }>): void {
  if (block.type === 'refusal') {
    draft.parts.push(refusalPart(block.text));
    return;
  }
  const annotations = encodeAnnotations(block.citations ?? [], block.text.length, draft.context.noteDropped);
  draft.parts.push(textPart(block.text, annotations, draft.logprobs));
  draft.logprobs = [];
}

function closeMessage(draft: Draft, status: ItemStatus): void {
  if (draft.parts.length === 0) return;
  draft.items.push(messageItem(itemId('msg', draft.items.length, draft.context), status, draft.parts));
  draft.parts = [];
}

function addItem(draft: Draft, block: ContentBlock, status: ItemStatus): void {
  const { items, context } = draft;
  switch (block.type) {
    case 'reasoning':
      items.push(reasoningItem({ itemId: itemId('rs', items.length, context), ...block, isSummary: block.isSummary === true }));
      return;
    case 'tool-call': {
      if (block.state !== undefined) items.push(toolStateItem(itemId('rs', items.length, context), block.id, block.state));
      const id = itemId(callPrefix(block, context.names), items.length, context);
      items.push(callItem({ ...block, itemId: id, callId: block.id }, status, context.names));
      return;
    }
    case 'web-search': {
      const search = { ...block, itemId: itemId('ws', items.length, context), isFailed: block.errorCode !== undefined };
      items.push(searchItem(search, search.isFailed ? 'failed' : 'completed', context));
      return;
    }
    case 'image':
      items.push(pictureItem(itemId('ig', items.length, context), block.source));
      return;
    case 'opaque':
      items.push(block.raw);
      return;
    default:
  }
}
