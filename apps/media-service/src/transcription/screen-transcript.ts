import type { TranscriptionReply } from '@weir/canonical';
import { screenReplyTexts, type ReplyGuard } from '../media/screen-reply-texts';

/**
 * Runs the guardrails over what was heard: the text, and the same words again in segments, words and subtitles, each
 * as one text, however it is cut. Where something was masked, what could reveal it is left out: chances and numbers of
 * tokens, and members that only this provider knows.
 */
export async function screenTranscript(reply: TranscriptionReply, place: ReplyGuard): Promise<TranscriptionReply> {
  const { text, segments = [], words = [] } = reply;
  const lines = readLines(reply.rendered);
  const screened = await screenReplyTexts(place, [
    [text],
    segments.map((segment) => segment.text),
    words.map(({ word }) => word),
    lines.filter(({ isSpoken }) => isSpoken).map((line) => line.text),
  ]);
  if (screened === undefined) return reply;
  const written = writeTexts(reply, lines, screened.texts);
  return screened.isMasked ? withoutTraces(written) : written;
}

/** `texts` are those of the whole, of segments, words and lines of subtitles. */
function writeTexts(reply: TranscriptionReply, lines: readonly Line[], texts: readonly (readonly string[])[]): TranscriptionReply {
  const { segments, words, rendered } = reply;
  const read = (list: number, at: number): string => texts[list]?.[at] ?? '';
  return {
    ...reply,
    text: read(0, 0),
    ...(segments === undefined ? {} : { segments: segments.map((segment, at) => ({ ...segment, text: read(1, at) })) }),
    ...(words === undefined ? {} : { words: words.map((word, at) => ({ ...word, word: read(2, at) })) }),
    ...(rendered === undefined ? {} : { rendered: writeLines(lines, texts[3] ?? []) }),
  };
}

type Line = { readonly text: string; readonly isSpoken: boolean };

function readLines(rendered: string | undefined): Line[] {
  const lines = rendered?.split('\n') ?? [];
  return lines.map((text, at) => ({ text, isSpoken: isSpoken(text, lines[at + 1]) }));
}

/** Lines of subtitles that are no words are their numbers and times. */
function isSpoken(line: string, next = ''): boolean {
  return line.trim() !== '' && !line.includes('-->') && line !== 'WEBVTT' && !(/^\d+\r?$/.test(line) && next.includes('-->'));
}

function writeLines(lines: readonly Line[], spoken: readonly string[]): string {
  const left = [...spoken];
  return lines.map((line) => (line.isSpoken ? left.shift() : line.text)).join('\n');
}

function withoutTraces({ logprobs: _logprobs, unmapped: _unmapped, ...reply }: TranscriptionReply): TranscriptionReply {
  const { segments, words } = reply;
  return {
    ...reply,
    ...(segments === undefined ? {} : { segments: segments.map(({ unmapped: _own, ...segment }) => segment) }),
    ...(words === undefined ? {} : { words: words.filter(({ word }) => word !== '') }),
  };
}
