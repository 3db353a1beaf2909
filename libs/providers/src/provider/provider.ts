import type { CachePlaces, ChatEvent, ChatReply, ChatRequest, LossReport, OriginalBody, Usage } from '@weir/canonical';
import type { ChatDialect, Modality } from '@weir/contracts';
import type { GatewayError } from '@weir/errors';
import type { UpstreamTransport } from '@weir/upstream-http';
import type { EmbeddingLane } from './embedding-provider';
import type { MemberRules } from '../members/member-rules';
import type { FetchedAddresses } from './fetched-addresses';
import type { ChatDeviation } from '../openai-compatible/rules/compatible-provider.schema';
import type { ImageLane, SpeechLane, TranscriptionLane } from './media-provider';
import type { ProviderTarget, EncodedCall, ExpressCall } from './target';

/** Turns the bytes of an upstream stream into events. Synchronous; any split of the bytes gives the same events. */
export type ChatStreamDecoder = {
  push(bytes: Uint8Array): ChatEvent[];
  /** The upstream connection ended in order. Returns what is left; without `end` among all events the stream was cut. */
  end(): ChatEvent[];
  /** The usage reported so far, for a stream that breaks before its last event. */
  reported(): Usage | null;
};

/** How one kind of provider writes requests and replies in the translation lane. */
export type ChatCodec = {
  encodeRequest(request: ChatRequest, target: ProviderTarget, losses: LossReport): EncodedCall;
  /** Throws `provider_unreadable` for anything that is not a reply; with the usage reported beside it, see `FailedReply`. */
  decodeReply(text: string, target: ProviderTarget): ChatReply;
  createStreamDecoder(target: ProviderTarget): ChatStreamDecoder;
};

/** Whose state a provider takes back in the history of a conversation. */
export type HistoryRule = {
  /** The family of state that it gives. */
  readonly family: string;
  /** Whether it refuses thinking, pages and sources without state. A server of one's own may well write them so itself. */
  readonly needsState: boolean;
};

/** The caller's own body, sent on with as few edits as the provider needs. */
export type ExpressLane = {
  readonly dialect: ChatDialect;
  /** Whether this lane can carry the body. Absent means always; false sends the request through the codec instead. */
  readonly suits?: (body: OriginalBody, target: ProviderTarget) => boolean;
  /** Model name, extension fields, `stream_options` and the provider's quirks are edited; the rest stays byte for byte. */
  encodeOriginal(body: OriginalBody, target: ProviderTarget, stream: boolean): ExpressCall;
  /** Absent: a body that holds state of others goes through the codec. */
  readonly history?: HistoryRule;
  /** Asks for the length of the body's prompt; absent where the provider cannot count. The reply holds `input_tokens`. */
  readonly encodeCount?: (body: OriginalBody, target: ProviderTarget) => ExpressCall;
  /**
   * Reads the provider's `usage` object (already parsed). Returns null when there is nothing to read. Where a stream
   * reports usage in several events, pass their members merged, the later one winning. `tier`: the service tier that the reply
   * reports beside it.
   */
  readUsage(usage: unknown, tier?: unknown): Usage | null;
  /**
   * Puts what the dialect's own vendor does not send into places where its clients pass it over, in the data of each streamed
   * event of one reply; null where it goes with a later one. Absent where there is nothing of the kind.
   */
  readonly createFrameCleaner?: () => (data: string) => string | null;
  /** How its replies deviate from the dialect; absent or empty: they pass as they came. */
  readonly deviations?: readonly ChatDeviation[];
};

type ProviderCapability = Modality | 'imageEdit';

export type Provider = {
  readonly id: string;
  readonly modalities: readonly Modality[];
  /** Where each capability beside chat is served, appended to the base URL; absent where there is none. */
  readonly paths?: Readonly<Partial<Record<ProviderCapability, string | undefined>>>;
  /** Whether cutting the connection stops the provider's billing (`abort`) or the answer is billed whole (`drain`). */
  readonly onCancel: 'abort' | 'drain';
  readonly baseUrl: string;
  /** How long its account is waited for, as far as its operator says. */
  readonly deadlines?: { readonly firstContentMs?: number | undefined; readonly idleMs?: number | undefined };
  /** Credentials for one call; a promise where a token has to be fetched or the call signed. */
  authorize(call: ExpressCall, target: ProviderTarget): Record<string, string> | Promise<Record<string, string>>;
  readonly transport: UpstreamTransport;
  readonly express: ExpressLane | null;
  /** What is ruled on in chat bodies that go on in the express lane. */
  readonly members?: MemberRules;
  /** The same of embeddings. */
  readonly embeddingMembers?: MemberRules;
  /** Models are called by names of deployments: the name in a reply is no model of the catalogue. */
  readonly namesDeployments?: boolean;
  readonly codec: ChatCodec | null;
  /** Where cache marks in a prompt save money at this provider; absent or null: nowhere. */
  readonly cachePlaces?: (target: ProviderTarget) => CachePlaces | null;
  /** Which addresses of media it fetches for a target; absent: any. What it does not has to be inlined before encoding. */
  readonly fetchedAddresses?: (target: ProviderTarget) => FetchedAddresses;
  /** Absent where the provider makes no embeddings. */
  readonly embeddings?: EmbeddingLane;
  /** Absent where the provider does none of the kind. */
  readonly images?: ImageLane;
  readonly speech?: SpeechLane;
  readonly transcription?: TranscriptionLane;
  /** Asks for a model that is not there, at no charge; needed where there is no chat to do it with. */
  readonly encodeProbe?: (model: string) => EncodedCall;
  /** The same account with a secret that is newer than this one's; undefined where there is none. Absent: it never is. */
  readonly renew?: () => Promise<Provider | undefined>;
  /** Explains a status other than 2xx. Never throws; `text` is bounded. */
  readError(status: number, headers: Readonly<Record<string, string | string[] | undefined>>, text: string): GatewayError;
};

/** The address of one call. */
export function urlOfCall(provider: Provider, call: ExpressCall): string {
  return `${call.baseUrl ?? provider.baseUrl}${call.path}`;
}
