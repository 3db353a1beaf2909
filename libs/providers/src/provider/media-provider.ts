import type {
  ImageReply,
  ImageRequest,
  ImageStreamDecoder,
  LossReport,
  MediaFile,
  SpeechDecoder,
  SpeechFormat,
  SpeechRequest,
  TranscriptionReply,
  TranscriptionRequest,
  TranscriptionStreamDecoder,
} from '@weir/canonical';
import type { EncodedCall, ProviderTarget } from './target';

export type FormPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | { readonly kind: 'file'; readonly name: string; readonly file: MediaFile };

/** A request about pictures or sound, ready to be sent. The function that sends it sets the content type, by the kind of the body. */
export type MediaCall = {
  /** Appended to the provider's base URL. */
  readonly path: string;
  /** Instead of the provider's own base URL. See `urlOfCall`. */
  readonly baseUrl?: string;
  /** POST where absent. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  /** Beyond credentials and content type; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body:
    | { readonly kind: 'json'; readonly text: string }
    | { readonly kind: 'form'; readonly parts: readonly FormPart[] }
    /** The bytes of a file are the whole body; its type is the content type. */
    | { readonly kind: 'file'; readonly file: MediaFile };
};

/** The whole reply to one call. */
export type MediaReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
};

/**
 * How pictures are made at one provider. `request.count` is never above `countMax` of its target, `request.images` is empty
 * for a generation; both decoders throw `provider_unreadable` for anything that is not a reply.
 */
export type ImageLane = {
  /** How many pictures one call makes; more become several calls. */
  countMax(target: ProviderTarget): number;
  /** Whether the model takes pictures to edit. Absent: it does not. */
  readonly edits?: (target: ProviderTarget) => boolean;
  encodeRequest(request: ImageRequest, target: ProviderTarget, losses: LossReport): MediaCall | Promise<MediaCall>;
  /** May be a promise where the answer has to be asked for again (`sent.follow`). */
  decodeReply(reply: MediaReply, sent: SentMedia<ImageRequest>): ImageReply | Promise<ImageReply>;
  /** Absent where the provider has no streams: `request.stream` is false for it then. Null: not for this model. */
  readonly createStreamDecoder?: (target: ProviderTarget) => ImageStreamDecoder | null;
};

/** The request that the reply is for. */
export type SentMedia<Request> = {
  readonly request: Request;
  readonly target: ProviderTarget;
  /** Sends a further call that belongs to the same request, with credentials. Throws for a status other than 2xx. */
  readonly follow: (call: MediaCall) => Promise<MediaReply>;
};

export type SpeechLane = {
  /** The formats it returns, best first. Where the one asked for is missing, `request.format` is the first that converts to it. */
  formats(target: ProviderTarget): readonly SpeechFormat[];
  encodeRequest(request: SpeechRequest, target: ProviderTarget, losses: LossReport): MediaCall;
  /** For one reply whose status is 2xx. */
  createDecoder(sent: Omit<SentMedia<SpeechRequest>, 'follow'>, headers: MediaReply['headers']): SpeechDecoder;
};

export type TranscriptionLane = {
  /** Whether it can write down what is said in another language as English. Absent: it cannot. */
  readonly translates?: (target: ProviderTarget) => boolean;
  encodeRequest(request: TranscriptionRequest, target: ProviderTarget, losses: LossReport): MediaCall | Promise<MediaCall>;
  /** May be a promise where the answer has to be asked for again (`sent.follow`). */
  decodeReply(reply: MediaReply, sent: SentMedia<TranscriptionRequest>): TranscriptionReply | Promise<TranscriptionReply>;
  /** Absent or null where there are no streams: `request.stream` is false for it then. */
  readonly createStreamDecoder?: (target: ProviderTarget) => TranscriptionStreamDecoder | null;
};

/** What `authorize` is shown of a call: signatures cover JSON bodies only. */
export function toEncodedCall(call: MediaCall): EncodedCall {
  return {
    path: call.path,
    ...(call.baseUrl === undefined ? {} : { baseUrl: call.baseUrl }),
    ...(call.headers === undefined ? {} : { headers: call.headers }),
    body: call.body.kind === 'json' ? call.body.text : '',
  };
}
