import type { TranscriptionReply } from '@weir/canonical';
import { VERDICT_HEADER, type RequestGuard } from '@weir/exchange';
import type { ServerResponse } from 'node:http';

/** What guards an answer, and the reply whose head tells the verdict. */
export type ReplyGuard = { readonly guard: RequestGuard | undefined; readonly response: Pick<ServerResponse, 'setHeader'> };

/**
 * Has the guardrails look at what was heard: the text, and the same words once more in segments, words and subtitles, each
 * as one text, however it is cut. Where something was masked, what could tell it again is left out: chances and numbers of
 * tokens, and members that only this provider knows. Whether the answer may pass at all, the guard tells afterwards.
 */
export async function screenTranscript(reply: TranscriptionReply, { guard, response }: ReplyGuard): Promise<TranscriptionReply> {
  if (guard?.concernsReplies !== true) return reply;
  const { text, segments = [], words = [], rendered = '' } = reply;
  const lines = rendered.split('\n');
  const spoken = lines.map((line, index) => isSpoken(line, lines[index + 1]));
  const screened = await guard.checkReplyTexts([
    [text],
    segments.map((segment) => segment.text),
    words.map(({ word }) => word),
    lines.filter((_, index) => spoken[index]),
  ]);
  response.setHeader(VERDICT_HEADER, guard.verdict());
  const [whole, inSegments, inWords, inLines] = screened.map(({ pieces }) => pieces);
  const left = [...(inLines ?? [])];
  const told: TranscriptionReply = {
    ...reply,
    text: whole?.[0] ?? '',
    ...(reply.segments === undefined ? {} : { segments: segments.map((segment, at) => ({ ...segment, text: inSegments?.[at] ?? '' })) }),
    ...(reply.words === undefined ? {} : { words: words.map((word, at) => ({ ...word, word: inWords?.[at] ?? '' })) }),
    ...(reply.rendered === undefined ? {} : { rendered: lines.map((line, at) => (spoken[at] ? left.shift() : line)).join('\n') }),
  };
  return screened.some(({ isMasked }) => isMasked) ? withoutTraces(told) : told;
}

/** Lines of subtitles that are no words: their numbers and times. */
function isSpoken(line: string, next = ''): boolean {
  return line.trim() !== '' && !line.includes('-->') && line !== 'WEBVTT' && !(/^\d+\r?$/.test(line) && next.includes('-->'));
}

function withoutTraces({ logprobs: _logprobs, unmapped: _unmapped, ...reply }: TranscriptionReply): TranscriptionReply {
  const { segments, words } = reply;
  return {
    ...reply,
    ...(segments === undefined ? {} : { segments: segments.map(({ unmapped: _own, ...segment }) => segment) }),
    ...(words === undefined ? {} : { words: words.filter(({ word }) => word !== '') }),
  };
}
