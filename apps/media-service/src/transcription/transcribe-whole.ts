import type { MediaUsage, TranscriptionReply, TranscriptionRequest } from '@weir/canonical';
import { describeFailure, OK, writeReplyHead, writeStreamHead, writeUsageSource } from '@weir/exchange';
import { askForMedia, type MediaCall, type MediaReply } from '@weir/providers';
import type { OpenAttempt } from '@weir/meter';
import { closeMediaAttempt, type PricedMedia } from '../media/close-media-attempt';
import type { MediaContext, MediaParts, OpenReply } from '../media/media-modality';
import { readReply } from '../media/read-reply';
import { runMediaAttempt, type ReportedUse } from '../media/run-media-attempt';
import { encodeDelta, encodeDone, encodeSegment } from './encode-transcript-events';
import { encodeTranscript, type EncodedTranscript } from './encode-transcript';
import { screenTranscript } from './screen-transcript';
import type { TranscriptionPlan } from './plan-transcription';
import { completeTranscriptionUsage, estimateTranscription, measureLength, type RecordingLength } from './transcription-usage';

type Context = MediaContext<TranscriptionRequest>;

/** Has a recording transcribed whole. */
export async function transcribeWhole(context: Context, plan: TranscriptionPlan, parts: MediaParts): Promise<OpenReply> {
  const { request, asked, place } = context;
  const length = await measureLength(asked.file, parts.measureSeconds);
  const lane = { lane: plan, expected: estimateTranscription(length, place.attempt, { asked, text: '' }) };
  const encoded = await runMediaAttempt(context, lane, (attempt, report) => transcribe(context, { plan, attempt, report, length }, parts));
  return {
    lane: plan,
    send: async () => {
      await parts.whenDurable();
      const { response } = request;
      writeReplyHead(request, plan, place.number - 1);
      writeUsageSource(response, encoded.usage);
      if (asked.stream) writeStreamHead(response);
      else {
        response.setHeader('content-type', encoded.type);
        response.setHeader('x-weir-cost', encoded.costUsd);
        response.setHeader('content-length', Buffer.byteLength(encoded.text));
      }
      response.end(encoded.text);
    },
  };
}

type Transcribed = EncodedTranscript & PricedMedia;

type TranscribeOptions = {
  readonly plan: TranscriptionPlan;
  readonly attempt: OpenAttempt;
  readonly report: (reported: ReportedUse) => void;
  readonly length: RecordingLength;
};

async function transcribe(context: Context, { plan, attempt, report, length }: TranscribeOptions, parts: MediaParts): Promise<Transcribed> {
  const { request, asked, place, guard } = context;
  const noteHead: typeof place.noteReply = (head) => place.noteReply(head);
  const options = { headersTimeoutMs: parts.headersTimeoutMs, idleTimeoutMs: parts.idleTimeoutMs, signal: request.signal, noteHead };
  const upstream = await askForMedia(plan, plan.call, options);
  attempt.noteFirstByte();
  place.noteFirstByte();
  const follow = (call: MediaCall): Promise<MediaReply> => askForMedia(plan, call, options);
  const complete = (usage: MediaUsage | null, text: string) =>
    completeTranscriptionUsage(usage, { asked, target: plan.target, length, text });
  const heard = await readReply(
    () => plan.transcription.decodeReply(upstream, { request: asked, target: plan.target, follow }),
    (usage) => report(complete(usage, '')),
  );
  const use = complete(heard.usage, heard.text);
  report(use);
  const reply = await screenTranscript(heard, { guard, response: request.response });
  const refusal = guard?.refusal();
  // What cannot be written as it was asked for is found out before it is charged.
  encodeAny(reply, asked, { usage: use.usage, costUsd: '0' });
  const priced = closeMediaAttempt(attempt, context, { ...use, outcome: refusal === undefined ? OK : describeFailure(refusal) });
  if (refusal !== undefined) throw refusal;
  return { ...encodeAny(reply, asked, priced), ...priced };
}

/** A provider without streams: the caller gets the words as events all the same. */
function encodeAny(reply: TranscriptionReply, asked: TranscriptionRequest, priced: PricedMedia): EncodedTranscript {
  if (!asked.stream) return encodeTranscript(reply, asked, priced);
  const isDiarized = asked.format === 'diarized_json' && reply.segments !== undefined;
  const words = isDiarized ? reply.segments.map(encodeSegment) : [encodeDelta({ text: reply.text, logprobs: reply.logprobs })];
  return { type: 'text/event-stream', text: [...words, encodeDone({ text: reply.text, logprobs: reply.logprobs }, priced)].join('') };
}
