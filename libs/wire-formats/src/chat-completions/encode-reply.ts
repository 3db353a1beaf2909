import type { ChatChoice, ChatReply, ContentBlock, OpaqueBlock, ReasoningBlock, TextBlock, ToolCallBlock } from '@weir/canonical';
import { appendMember } from '../reply/append-member';
import { dropAbsent } from '../fields/drop-absent';
import { encodeReplyTier } from '../reply/encode-reply-tier';
import { CITATIONS_DROPPED, locateCitation } from '../reply/locate-citation';
import { mintReplyId } from '../reply/mint-reply-id';
import { nameOpaque } from '../reply/name-opaque';
import { PICTURES_DROPPED, readPicture } from '../reply/read-picture';
import { noteFinish } from '../reply/note-finish';
import { CHAT_FAMILY } from '../state/native-family';
import type { PricedUsage, ReplyContext } from '../dialect/wire-format';
import { CALLS_DROPPED, encodeChatFinish, nameNative, usesLegacyFunctions } from './encode-finish';
import { encodeReasoningDetail, encodeToolStateDetail } from './encode-reasoning';
import { encodePicture } from './encode-picture';
import { encodeChatUsage } from './encode-usage';
import { readVerdicts, type Verdicts } from './filter-verdicts';

export function encodeChatReply(reply: ChatReply, priced: PricedUsage, context: ReplyContext): string {
  const isLegacy = usesLegacyFunctions(context.body);
  const head = {
    id: mintReplyId(reply.id, 'chatcmpl-', context),
    object: 'chat.completion',
    created: reply.createdAtSeconds > 0 ? reply.createdAtSeconds : Math.floor(context.nowMs / 1000),
    model: reply.model === '' ? context.modelId : reply.model,
    choices: reply.choices.map((choice) => encodeChoice(choice, isLegacy, context.noteDropped)),
    ...listVerdicts(reply.choices.flatMap(({ content }) => content))?.ofReply,
    ...dropAbsent({ service_tier: encodeReplyTier(reply.serviceTier), system_fingerprint: reply.systemFingerprint }),
  };
  return appendMember(head, 'usage', encodeChatUsage(priced));
}

function encodeChoice(choice: ChatChoice, isLegacy: boolean, noteDropped: ReplyContext['noteDropped']) {
  noteFinish(choice.finish, 'chat', noteDropped);
  return {
    index: choice.index,
    message: encodeMessage(choice, isLegacy, noteDropped),
    logprobs: choice.logprobs ?? null,
    finish_reason: encodeChatFinish(choice.finish, isLegacy),
    ...nameNative(choice.finish),
    ...listVerdicts(choice.content)?.ofChoice,
  };
}

function encodeMessage(choice: ChatChoice, isLegacy: boolean, noteDropped: ReplyContext['noteDropped']) {
  for (const block of choice.content) {
    if (block.type === 'opaque' && !hasPlace(block)) noteDropped?.(nameOpaque(block));
  }
  const texts = choice.content.filter((block): block is TextBlock => block.type === 'text');
  const calls = choice.content.filter((block): block is ToolCallBlock => block.type === 'tool-call');
  const refusal = encodeRefusal(choice);
  const text = texts.map((block) => block.text).join('');
  const isSilent = text === '' && (calls.length > 0 || refusal !== null);
  return {
    role: 'assistant',
    content: isSilent ? null : text,
    refusal,
    ...dropAbsent({
      ...encodeReasoning(choice.content),
      annotations: encodeAnnotations(texts, noteDropped),
      images: encodePictures(choice.content, noteDropped),
      audio: findAudio(choice.content),
    }),
    ...encodeCalls(calls, isLegacy, noteDropped),
  };
}

/** A provider that refuses without words may still say why. */
function encodeRefusal(choice: ChatChoice): string | null {
  const refusal = choice.content.map((block) => (block.type === 'refusal' ? block.text : '')).join('');
  if (refusal !== '') return refusal;
  return choice.finish.unified === 'content-filter' ? (choice.finish.explanation ?? null) : null;
}

function encodeReasoning(content: readonly ContentBlock[]) {
  const blocks = content.filter((block): block is ReasoningBlock => block.type === 'reasoning');
  const text = blocks.map((block) => block.text).join('');
  const hasState = content.some((block) => (block.type === 'reasoning' || block.type === 'tool-call') && block.state !== undefined);
  return { reasoning_content: text === '' ? undefined : text, reasoning_details: hasState ? encodeDetails(content) : undefined };
}

function encodeDetails(content: readonly ContentBlock[]): unknown[] {
  const details: unknown[] = [];
  for (const block of content) {
    if (block.type === 'reasoning') details.push(encodeReasoningDetail(block, details.length));
    else if (block.type === 'tool-call' && block.state !== undefined) {
      details.push(encodeToolStateDetail(block.id, block.state, details.length));
    }
  }
  return details;
}

function encodeAnnotations(texts: readonly TextBlock[], noteDropped: ReplyContext['noteDropped']): unknown[] | undefined {
  const annotations: unknown[] = [];
  let offset = 0;
  for (const block of texts) {
    for (const citation of block.citations ?? []) {
      const located = locateCitation(citation, offset, block.text.length);
      if (located === undefined) noteDropped?.(CITATIONS_DROPPED);
      else annotations.push({ type: 'url_citation', url_citation: located });
    }
    offset += block.text.length;
  }
  return annotations.length === 0 ? undefined : annotations;
}

function encodeCalls(
  calls: readonly ToolCallBlock[],
  isLegacy: boolean,
  noteDropped: ReplyContext['noteDropped'],
): Record<string, unknown> {
  const first = calls[0];
  if (first === undefined) return {};
  if (isLegacy && calls.length > 1) noteDropped?.(CALLS_DROPPED);
  if (isLegacy) return { function_call: { name: first.name, arguments: first.argumentsText } };
  return { tool_calls: calls.map(encodeCall) };
}

function encodeCall(call: ToolCallBlock): unknown {
  return call.kind === 'custom'
    ? { id: call.id, type: 'custom', custom: { name: call.name, input: call.argumentsText } }
    : { id: call.id, type: 'function', function: { name: call.name, arguments: call.argumentsText } };
}

/** Whether the message says what only this dialect, or another one, has a word for. */
function hasPlace(block: OpaqueBlock): boolean {
  return readAudio(block) !== undefined || readVerdicts(block) !== undefined || readPicture(block) !== undefined;
}

function encodePictures(content: readonly ContentBlock[], noteDropped: ReplyContext['noteDropped']): unknown[] | undefined {
  const images: unknown[] = [];
  for (const block of content) {
    const source = readPicture(block);
    const picture = source === undefined ? undefined : encodePicture(source, images.length);
    if (picture !== undefined) images.push(picture);
    else if (source !== undefined) noteDropped?.(PICTURES_DROPPED);
  }
  return images.length === 0 ? undefined : images;
}

function listVerdicts(content: readonly ContentBlock[]): Verdicts | undefined {
  return content.map((block) => (block.type === 'opaque' ? readVerdicts(block) : undefined)).find((verdicts) => verdicts !== undefined);
}

function findAudio(content: readonly ContentBlock[]): unknown {
  for (const block of content) {
    const audio = block.type === 'opaque' ? readAudio(block) : undefined;
    if (audio !== undefined) return audio;
  }
  return undefined;
}

function readAudio({ family, raw }: OpaqueBlock): unknown {
  const part = raw as { type?: unknown; audio?: unknown } | null;
  return family === CHAT_FAMILY && part?.type === 'audio' ? part.audio : undefined;
}
