import {
  createLossReport,
  createMediaFile,
  type ImageRequest,
  type SpeechDecoder,
  type SpeechRequest,
  type TranscriptionRequest,
} from '@weir/canonical';
import type { MediaCall, MediaReply, SentMedia } from '../provider/media-provider';
import { buildTarget } from './build-target';

/** A file of a few bytes; what they are matters to no one but who draws a mask. */
export function buildFile(type = 'audio/mpeg', bytes: Uint8Array = Buffer.from('bytes')) {
  return createMediaFile(bytes, { name: 'a.bin', type });
}

export function buildImageRequest(more: Partial<ImageRequest> = {}): ImageRequest {
  return { model: 'vendor/some-model', prompt: 'a boat', count: 1, stream: false, images: [], ...more };
}

export function buildSpeechRequest(more: Partial<SpeechRequest> = {}): SpeechRequest {
  return { model: 'vendor/some-model', input: 'Hello.', voice: 'kore', format: 'mp3', speed: 1, streamFormat: 'audio', ...more };
}

export function buildTranscriptionRequest(more: Partial<TranscriptionRequest> = {}): TranscriptionRequest {
  return {
    model: 'vendor/some-model',
    file: buildFile(),
    task: 'transcribe',
    format: 'json',
    timestampGranularities: [],
    include: [],
    stream: false,
    ...more,
  };
}

export function buildReply(body: unknown, headers: MediaReply['headers'] = {}): MediaReply {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { status: 200, headers, bytes };
}

export function buildSent<Request>(request: Request, upstreamModel: string): SentMedia<Request> {
  return { request, target: buildTarget(upstreamModel), follow: () => Promise.reject(new Error('nothing more is asked for')) };
}

/** What a call says and what was lost in saying it. */
export async function sayMedia<Request>(
  lane: {
    encodeRequest(
      request: Request,
      target: ReturnType<typeof buildTarget>,
      losses: ReturnType<typeof createLossReport>,
    ): MediaCall | Promise<MediaCall>;
  },
  request: Request,
  upstreamModel: string,
) {
  const losses = createLossReport();
  const { body, ...call } = await lane.encodeRequest(request, buildTarget(upstreamModel), losses);
  return {
    ...call,
    body: body.kind === 'json' ? (JSON.parse(body.text) as Record<string, unknown>) : body,
    dropped: [...losses.dropped].sort(),
    approximated: [...losses.approximated].sort(),
  };
}

type Heard = { readonly sound: string; readonly usage: unknown };

/** Everything a decoder hears when the bytes are cut into pieces of one size. */
export function hear(decoder: SpeechDecoder, body: string | Buffer, size = Infinity): Heard {
  const bytes = Buffer.from(body);
  const events = [];
  for (let position = 0; position < bytes.length; position += size) events.push(...decoder.push(bytes.subarray(position, position + size)));
  events.push(...decoder.end());
  const sound = events.flatMap((event) => (event.type === 'audio' ? [event.bytes] : []));
  return {
    sound: Buffer.concat(sound).toString('latin1'),
    usage: events.flatMap((event) => (event.type === 'usage' ? [event.usage] : []))[0],
  };
}
