import type { ChatEvent, ContentBlock } from '@weir/canonical';
import { estimateReplyTokens, type ChatCodec, type ProviderTarget, type ReplyTexts } from '@weir/providers';

/** So many bytes of a reply are kept until its usage is known: a few hundred tokens of a stream, enough to estimate the rest by. */
const KEPT_BYTES_MAX = 64 * 1024;
const OPEN_BRACE = 0x7b;

/** The part of a reply that has arrived, in the provider's own bytes. */
export type SeenReply = {
  /** Keeps the chunk itself and copies nothing, because most replies report their usage and are never looked at. */
  receive(chunk: Uint8Array): void;
  bytes(): number;
  /** The best estimate of the output that has arrived; undefined where it cannot be decoded. */
  estimateOutput(): number | undefined;
};

type SeenLane = { readonly codec: ChatCodec | null; readonly target: ProviderTarget };

/** Whole replies and streams are estimated alike: by their texts, not by their bytes. */
export function createSeenReply(findLane: () => SeenLane): SeenReply {
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let bytes = 0;
  return {
    receive: (chunk) => {
      bytes += chunk.length;
      // A whole reply comes in one piece and is in memory anyway.
      if (keptBytes > 0 && keptBytes + chunk.length > KEPT_BYTES_MAX) keptBytes = Math.max(keptBytes, KEPT_BYTES_MAX);
      else if (keptBytes < KEPT_BYTES_MAX) {
        kept.push(chunk);
        keptBytes += chunk.length;
      }
    },
    bytes: () => bytes,
    estimateOutput: () => {
      const { codec, target } = findLane();
      if (codec === null || kept.length === 0) return undefined;
      const seen = Buffer.concat(kept);
      const parts = decodeParts(seen, codec, target);
      if (parts === undefined) return undefined;
      return Math.round((estimateReplyTokens(textsOf(parts), target.attempt.upstreamModel) * bytes) / seen.length);
    },
  };
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
