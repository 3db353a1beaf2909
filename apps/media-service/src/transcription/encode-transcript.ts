import type { TranscriptionReply, TranscriptionRequest, TranscriptSegment } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import type { PricedMedia } from '../media/close-media-attempt';
import { encodeUsage, encodeWithUsage, totalTokens } from '../media/encode-priced';

export type EncodedTranscript = { readonly type: string; readonly text: string };

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** A whole transcription in the format asked for. Throws when its provider reported no times and the format needs them. */
export function encodeTranscript(reply: TranscriptionReply, asked: TranscriptionRequest, priced: PricedMedia): EncodedTranscript {
  switch (asked.format) {
    case 'text':
      return { type: TEXT_TYPE, text: reply.rendered ?? `${reply.text}\n` };
    case 'srt':
      return { type: TEXT_TYPE, text: reply.rendered ?? encodeSrt(requireSegments(reply)) };
    case 'vtt':
      return { type: TEXT_TYPE, text: reply.rendered ?? encodeVtt(requireSegments(reply)) };
    case 'verbose_json':
      return { type: JSON_TYPE, text: encodeWithUsage(describeVerbose(reply, asked), encodeTranscriptUsage(priced)) };
    case 'diarized_json':
      return { type: JSON_TYPE, text: encodeWithUsage(describeDiarized(reply, asked), encodeTranscriptUsage(priced)) };
    case 'json': {
      const logprobs = reply.logprobs === undefined ? {} : { logprobs: reply.logprobs };
      return { type: JSON_TYPE, text: encodeWithUsage({ text: reply.text, ...logprobs }, encodeTranscriptUsage(priced)) };
    }
  }
}

/** Tokens where there are any, else the seconds that are charged. */
export function encodeTranscriptUsage(priced: PricedMedia): string {
  const { usage } = priced;
  const totals = totalTokens(usage);
  if (totals.total_tokens === 0) return encodeUsage({ type: 'duration', seconds: Math.ceil(usage.seconds) }, priced);
  const details = { text_tokens: usage.inputTextTokens, audio_tokens: usage.inputAudioTokens };
  return encodeUsage({ type: 'tokens', ...totals, input_token_details: details }, priced);
}

export function describeSegment({ id, start, end, text, speaker }: TranscriptSegment): object {
  return { type: 'transcript.text.segment', id: String(id), start, end, text, speaker: speaker ?? 'A' };
}

function describeVerbose(reply: TranscriptionReply, asked: TranscriptionRequest): object {
  const { language = asked.language, words } = reply;
  const segments = reply.segments ?? [];
  return {
    ...reply.unmapped,
    task: asked.task,
    ...(language === undefined ? {} : { language }),
    duration: durationOf(reply),
    text: reply.text,
    ...(words === undefined ? {} : { words }),
    segments: segments.map(({ unmapped, speaker, ...segment }) => ({
      ...unmapped,
      ...segment,
      ...(speaker === undefined ? {} : { speaker }),
    })),
  };
}

function describeDiarized(reply: TranscriptionReply, asked: TranscriptionRequest): object {
  return { task: asked.task, duration: durationOf(reply), text: reply.text, segments: requireSegments(reply).map(describeSegment) };
}

function durationOf({ durationSeconds, segments = [], usage }: TranscriptionReply): number {
  return durationSeconds ?? (usage?.seconds || (segments.at(-1)?.end ?? 0));
}

function requireSegments({ segments }: TranscriptionReply): readonly TranscriptSegment[] {
  if (segments !== undefined) return segments;
  throw new GatewayError(
    'provider_unreadable',
    'The provider reported no times, which this response_format needs. Use another format or model.',
  );
}

function encodeSrt(segments: readonly TranscriptSegment[]): string {
  return segments
    .map(({ start, end, text }, index) => `${index + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${cleanCue(text)}\n\n`)
    .join('');
}

function encodeVtt(segments: readonly TranscriptSegment[]): string {
  return `WEBVTT\n\n${segments.map(({ start, end, text }) => `${clock(start, '.')} --> ${clock(end, '.')}\n${cleanCue(text)}\n\n`).join('')}`;
}

/** An arrow inside a cue would be taken for its times. */
function cleanCue(text: string): string {
  return text.trim().replace(/-->/g, '->');
}

/** `01:02:03,456` */
function clock(seconds: number, point: ',' | '.'): string {
  const all = Math.round(seconds * 1000);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const millis = String(all % 1000).padStart(3, '0');
  return `${two(all / 3_600_000)}:${two((all / 60_000) % 60)}:${two((all / 1000) % 60)}${point}${millis}`;
}
