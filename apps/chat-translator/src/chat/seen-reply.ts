import type { ChatEvent, ChatReply, ContentBlock } from '@weir/canonical';
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

export type SeenLane = { readonly codec: ChatCodec | null; readonly target: ProviderTarget };

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
      const texts = readTexts(seen, codec, target);
      if (texts === undefined) return undefined;
      return Math.round((estimateReplyTokens(texts, target.attempt.upstreamModel) * bytes) / seen.length);
    },
  };
}

function readTexts(seen: Buffer, codec: ChatCodec, target: ProviderTarget): ReplyTexts | undefined {
  try {
    if (seen[0] === OPEN_BRACE) return textsOfReply(codec.decodeReply(seen.toString('utf8'), target));
    return textsOfEvents(codec.createStreamDecoder(target).push(seen));
  } catch {
    // What cannot be decoded is counted by its length.
    return undefined;
  }
}

function textsOfReply({ choices }: ChatReply): ReplyTexts {
  const blocks = choices.flatMap(({ content }) => content);
  return { text: blocks.map(textOfBlock).join(''), calls: blocks.filter(({ type }) => type === 'tool-call').length };
}

function textOfBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return block.text;
    case 'tool-call':
      return block.name + block.argumentsText;
    default:
      return '';
  }
}

function textsOfEvents(events: readonly ChatEvent[]): ReplyTexts {
  return { text: events.map(textOfEvent).join(''), calls: events.filter(({ type }) => type === 'tool-call-start').length };
}

function textOfEvent(event: ChatEvent): string {
  switch (event.type) {
    case 'text-delta':
    case 'refusal-delta':
    case 'reasoning-delta':
      return event.text;
    case 'tool-call-start':
      return event.name;
    case 'tool-call-delta':
      return event.argumentsText;
    default:
      return '';
  }
}
