import type { ChatEvent, ContentBlock } from '@weir/canonical';
import { estimateReplyTokens, type ChatCodec, type ProviderTarget, type ReplyTexts } from '@weir/providers';

/**
 * So many bytes of a stream are kept until its usage is known: fifty to a hundred tokens, enough to estimate the rest by.
 * Most streams report their usage, and thousands of them may be open.
 */
const KEPT_BYTES_MAX = 16 * 1024;
/** Memory is taken for so much at first, and for half as much again whenever it is full. */
const CAPACITY_MIN = 2048;
const OPEN_BRACE = 0x7b;
const NOTHING = Buffer.alloc(0);

type SeenLane = { readonly provider: { readonly codec: ChatCodec | null }; readonly target: ProviderTarget };

/**
 * The part of a reply that has arrived, in the provider's own bytes. Whole replies and streams are estimated alike: by their
 * texts, not by their bytes.
 */
export class SeenReply {
  private kept: Buffer = NOTHING;
  private keptBytes = 0;
  private received = 0;

  constructor(private readonly lane: SeenLane) {}

  /**
   * A whole reply comes in one piece and is in memory anyway. The pieces of a stream are copied together: each of them would
   * keep all that came with it from the connection.
   */
  receive(chunk: Uint8Array): void {
    const isFirst = this.received === 0;
    this.received += chunk.length;
    if (isFirst) {
      this.kept = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      this.keptBytes = chunk.length;
    } else if (this.keptBytes < KEPT_BYTES_MAX) this.keep(chunk);
  }

  bytes(): number {
    return this.received;
  }

  /** The best estimate of the output that has arrived; undefined where it cannot be decoded. */
  estimateOutput(): number | undefined {
    const { target } = this.lane;
    const { codec } = this.lane.provider;
    if (codec === null || this.keptBytes === 0) return undefined;
    const seen = this.kept.subarray(0, this.keptBytes);
    const parts = decodeParts(seen, codec, target);
    if (parts === undefined) return undefined;
    return Math.round((estimateReplyTokens(textsOf(parts), target.attempt.upstreamModel) * this.received) / seen.length);
  }

  private keep(chunk: Uint8Array): void {
    const needed = Math.min(this.keptBytes + chunk.length, KEPT_BYTES_MAX);
    if (needed > this.kept.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(CAPACITY_MIN, needed * 1.5), KEPT_BYTES_MAX));
      this.kept.copy(larger, 0, 0, this.keptBytes);
      this.kept = larger;
    }
    const fits = needed - this.keptBytes;
    this.kept.set(fits === chunk.length ? chunk : chunk.subarray(0, fits), this.keptBytes);
    this.keptBytes = needed;
  }
}

/** A block of a whole reply, or an event of a stream. */
type ReplyPart = ContentBlock | ChatEvent;

function decodeParts(seen: Buffer, codec: ChatCodec, target: ProviderTarget): readonly ReplyPart[] | undefined {
  try {
    if (seen[0] !== OPEN_BRACE) return codec.createStreamDecoder(target).push(seen);
    return codec.decodeReply(seen.toString('utf8'), target).choices.flatMap(({ content }) => content);
  } catch {
    // What cannot be decoded is counted by its length.
    return undefined;
  }
}

function textsOf(parts: readonly ReplyPart[]): ReplyTexts {
  const calls = parts.filter(({ type }) => type === 'tool-call' || type === 'tool-call-start').length;
  return { text: parts.map(textOf).join(''), calls };
}

function textOf(part: ReplyPart): string {
  switch (part.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
    case 'text-delta':
    case 'refusal-delta':
    case 'reasoning-delta':
      return part.text;
    case 'tool-call':
      return part.name + part.argumentsText;
    case 'tool-call-start':
      return part.name;
    case 'tool-call-delta':
      return part.argumentsText;
    default:
      return '';
  }
}
