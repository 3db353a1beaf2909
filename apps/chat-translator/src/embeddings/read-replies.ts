import {
  createOriginalBody,
  editBody,
  packVector,
  readMember,
  unpackVector,
  type EmbeddingReply,
  type EmbeddingRequest,
  type EmbeddingVector,
  type OriginalBody,
} from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import type { EmbeddingExpress, WholeReply } from '@weir/providers';
import type { ChosenLane } from './choose-embedding-lane';
import type { EmbeddingSession } from './embedding-session';
import { correctUsage, encodeUsage, type PricedPrompt } from './encode-usage';

/** The reply to a request, complete but for its cost. */
type UnpricedReply = {
  /** Null when the provider reported none, or not for all of its calls. */
  readonly promptTokens: number | null;
  /** The model that the reply names, as far as it names one. */
  readonly model: unknown;
  /** The reply to send. */
  encode(priced: PricedPrompt): string;
};

const NOTHING: ReadonlySet<string> = new Set();

type ReceivedReplies = {
  readonly lane: ChosenLane;
  readonly replies: readonly WholeReply[];
  /** Called with the reported usage before it is known whether the replies hold vectors. */
  readonly noteReported: (promptTokens: number | null) => void;
};

/** Reads the replies to all calls of a lane. Throws `provider_unreadable` for anything but vectors for every input. */
export function readReplies(session: EmbeddingSession, { lane, replies, noteReported }: ReceivedReplies): UnpricedReply {
  try {
    return lane.kind === 'express'
      ? readExpressReply(replies[0]?.text ?? '', session.asked, lane.express, noteReported)
      : joinReplies(session, lane, replies, noteReported);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw unreadable(error);
  }
}

/** The provider's own bytes, with the cost in their usage, and the vectors in the form the caller asked for. */
function readExpressReply(
  text: string,
  { encodingFormat }: EmbeddingRequest,
  express: EmbeddingExpress,
  noteReported: ReceivedReplies['noteReported'],
): UnpricedReply {
  const reply = createOriginalBody(text);
  const reported = reply === undefined ? undefined : readMember(reply, 'usage');
  const promptTokens = express.readUsage(reported === undefined ? undefined : JSON.parse(reported));
  noteReported(promptTokens);
  const data = reply === undefined ? undefined : readMember(reply, 'data');
  // Parsing megabytes of numbers only to see that they are numbers would delay all other requests.
  if (reply === undefined || data === undefined || !data.endsWith(']') || !text.trimEnd().endsWith('}')) throw unreadable(undefined);
  const found = FIRST_VECTOR.exec(data)?.[1];
  if (found === undefined) throw unreadable(undefined);
  const isPacked = found === '"';
  const edits = new Map<string, string>();
  if (isPacked !== (encodingFormat === 'base64')) edits.set('data', convertData(data, encodingFormat));
  return {
    promptTokens,
    model: JSON.parse(readMember(reply, 'model') ?? 'null'),
    encode: (priced) => editBody(reply, { set: edits.set('usage', finishUsage(reported, priced)), remove: NOTHING }),
  };
}

const FIRST_VECTOR = /^\[\s*\{[^[\]{}]*?"embedding"\s*:\s*(["[])/;

function convertData(data: string, format: EmbeddingRequest['encodingFormat']): string {
  const items = JSON.parse(data) as { embedding: EmbeddingVector }[];
  return JSON.stringify(items.map((item) => ({ ...item, embedding: convertVector(item.embedding, format) })));
}

/** The provider's usage with our cost, and with the charged counts where it reported others; our own usage where it reported none. */
function finishUsage(reported: string | undefined, priced: PricedPrompt): string {
  const usage: OriginalBody | undefined = reported === undefined ? undefined : createOriginalBody(reported);
  return usage === undefined ? encodeUsage(priced) : correctUsage(usage, priced);
}

/** Replies of several calls as one, in the order of the inputs. */
function joinReplies(
  session: EmbeddingSession,
  lane: Extract<ChosenLane, { kind: 'translated' }>,
  replies: readonly WholeReply[],
  noteReported: ReceivedReplies['noteReported'],
): UnpricedReply {
  const decoded = replies.map((reply) => lane.codec.decodeReply(reply, lane.target));
  const promptTokens = sumTokens(decoded);
  noteReported(promptTokens);
  const vectors = decoded.flatMap((reply) => reply.vectors);
  const { inputs, encodingFormat } = session.asked;
  if (vectors.length !== inputs.items.length) throw unreadable(undefined);
  const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: convertVector(vector, encodingFormat) }));
  const body = { object: 'list', data, model: lane.target.attempt.modelId };
  return {
    promptTokens,
    model: undefined,
    encode: (priced) => `${JSON.stringify(body).slice(0, -1)},"usage":${encodeUsage(priced)}}`,
  };
}

function sumTokens(replies: readonly EmbeddingReply[]): number | null {
  return replies.reduce<number | null>((sum, { promptTokens }) => (sum === null || promptTokens === null ? null : sum + promptTokens), 0);
}

/** The usage reported for those calls of a lane that got a reply, where others failed; null where none was reported. */
export function sumReported(lane: ChosenLane, replies: readonly WholeReply[]): number | null {
  if (lane.kind === 'express') return null;
  const reported = replies.map((reply) => readReported(reply, lane)).filter((tokens) => tokens !== null);
  return reported.length === 0 ? null : reported.reduce((sum, tokens) => sum + tokens, 0);
}

function readReported(reply: WholeReply, { codec, target }: Extract<ChosenLane, { kind: 'translated' }>): number | null {
  try {
    return codec.decodeReply(reply, target).promptTokens;
  } catch {
    return null; // what cannot be decoded reports no usage
  }
}

function convertVector(vector: EmbeddingVector, format: EmbeddingRequest['encodingFormat']): EmbeddingVector {
  if (typeof vector !== 'string' && !Array.isArray(vector)) throw unreadable(undefined);
  return format === 'base64' ? packVector(vector) : unpackVector(vector);
}

function unreadable(cause: unknown): GatewayError {
  return new GatewayError('provider_unreadable', "The provider's answer could not be read. Try again, or use another model.", { cause });
}
