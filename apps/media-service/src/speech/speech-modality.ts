import { createLossReport, type SpeechDecoder, type SpeechFormat, type SpeechRequest } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { writeReplyHead } from '@weir/exchange';
import { findTarget, refuseUnreached, type MediaCall, type SpeechLane } from '@weir/providers';
import type { MediaContext, MediaModality, MediaLane, MediaParts, OpenReply } from '../media/media-modality';
import { streamMediaAttempt, type MediaStream } from '../media/stream-media-attempt';
import { decodeSpeechRequest } from './decode-speech-request';
import { COST_TRAILERS, createSpeechConsumer } from './create-speech-consumer';
import { expectSpeech, priceAhead } from './speech-usage';

type Context = MediaContext<SpeechRequest>;

/** How speech is made at one provider. */
type SpeechPlan = MediaLane & {
  readonly speech: SpeechLane;
  /** In the format that the caller gets. */
  readonly asked: SpeechRequest;
  /** In the format the provider is asked for. */
  readonly sent: SpeechRequest;
  readonly call: MediaCall;
};

const TYPES: Readonly<Record<SpeechFormat, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
};

/** Speech is passed on as it comes, in a stream of bytes or of events. */
export const SPEECH: MediaModality<SpeechRequest> = {
  decode: decodeSpeechRequest,
  // Async, so that whatever planning throws is a rejection.
  open: async (given, parts): Promise<OpenReply> => {
    const plan = planSpeech(given, parts);
    const { asked } = plan;
    const context = { ...given, asked };
    const { place } = context;
    let decoder: SpeechDecoder | undefined;
    const stream: MediaStream = {
      lane: plan,
      expected: expectSpeech(asked, place.attempt),
      call: plan.call,
      createConsumer: (attempt, headers) => {
        decoder = plan.speech.createDecoder({ request: plan.sent, target: plan.target }, headers);
        return createSpeechConsumer(context, {
          ...{ decoder, attempt, wraps: plan.sent.format !== asked.format },
          maxOutputTokens: plan.target.model.maxOutputTokens,
        });
      },
      format: asked.streamFormat === 'sse' ? undefined : { heartbeat: '', sendHead: () => sendBytesHead(context, { plan, decoder }) },
    };
    return streamMediaAttempt(context, stream, parts);
  },
};

function planSpeech({ request, asked: given, place }: Context, parts: MediaParts): SpeechPlan {
  const found = findTarget(place.attempt, parts, request.forwarded.headers);
  const { speech } = found.provider;
  if (speech === undefined) throw refuseUnreached(place.attempt);
  const losses = createLossReport();
  const formats = speech.formats(found.target);
  const asked = given.isFormatOpen === true ? { ...given, format: pickFormat(given.format, formats) } : given;
  const sent = { ...asked, format: chooseFormat(asked.format, formats) };
  const call = speech.encodeRequest(sent, found.target, losses);
  return { ...found, speech, asked, sent, call, losses };
}

/** For a caller that named none: the usual one, else one that players know by itself, which samples do not say of themselves. */
function pickFormat(usual: SpeechFormat, formats: readonly SpeechFormat[]): SpeechFormat {
  if (formats.includes(usual)) return usual;
  return formats.find((format) => format !== 'pcm') ?? 'wav';
}

/** Samples become a WAV file here; no other format is made of another. */
function chooseFormat(asked: SpeechFormat, formats: readonly SpeechFormat[]): SpeechFormat {
  if (formats.includes(asked)) return asked;
  if (asked === 'wav' && formats.includes('pcm')) return 'pcm';
  throw new GatewayError('unsupported_field', `response_format must be one of ${formats.join(', ')} for the chosen model.`, {
    field: 'response_format',
  });
}

type OpenSpeech = { readonly plan: SpeechPlan; readonly decoder: SpeechDecoder | undefined };

/** The cost where it is final; else an estimate of it, and the cost behind the audio. */
function sendBytesHead(context: Context, { plan, decoder }: OpenSpeech): void {
  const { request, asked, place } = context;
  const { response } = request;
  writeReplyHead(request, plan, place.number - 1);
  response.setHeader('content-type', TYPES[asked.format]);
  const { costUsd, isFinal } = priceAhead(context, decoder ?? { reportsUsage: true });
  response.setHeader(isFinal ? 'x-weir-cost' : 'x-weir-cost-estimate', costUsd);
  // Only chunks can be followed by trailers, and callers of before HTTP/1.1 read none.
  if (!isFinal && response.useChunkedEncodingByDefault) response.setHeader('trailer', COST_TRAILERS);
  response.flushHeaders();
}
