import type { TranscriptSegment } from '@weir/canonical';
import type { PricedMedia } from '../media/close-media-attempt';
import { encodeFrame, encodeWithUsage } from '../media/encode-priced';
import { describeSegment, encodeTranscriptUsage } from './encode-transcript';

type Reported = { readonly text: string; readonly logprobs?: unknown; readonly segmentId?: string | undefined };

export function encodeDelta({ text, logprobs, segmentId }: Reported): string {
  const type = 'transcript.text.delta';
  return encodeFrame(type, JSON.stringify({ type, delta: text, logprobs, segment_id: segmentId }));
}

export function encodeSegment(segment: TranscriptSegment): string {
  return encodeFrame('transcript.text.segment', JSON.stringify(describeSegment(segment)));
}

export function encodeDone({ text, logprobs }: Reported, priced: PricedMedia): string {
  const type = 'transcript.text.done';
  return encodeFrame(type, encodeWithUsage({ type, text, logprobs }, encodeTranscriptUsage(priced)));
}
