import { createLossReport, type ChatRequest, type LossReport } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import type { ChatCodec, Provider, EncodedCall, ProviderTarget } from '@weir/providers';
import { nameField } from '@weir/wire-formats';
import type { ChatSession } from '../session/chat-session';

type Destination = {
  readonly provider: Provider;
  readonly codec: ChatCodec;
  readonly target: ProviderTarget;
  /** Filled with what is lost on the way. */
  readonly losses: LossReport;
};

/**
 * Encodes a request for a provider. Losses, and the field of an error, are named as in the caller's dialect. Throws the
 * caller's error when the request cannot be encoded for this provider.
 */
export function encodeTranslated(session: ChatSession, asked: ChatRequest, to: Destination): EncodedCall {
  const nameOf = (field: string): string => nameField(session.dialect, field, session.body.json);
  const neutral = createLossReport();
  try {
    refuseForeign(asked, to.provider);
    const call = to.codec.encodeRequest(asked, to.target, neutral);
    if (neutral.dropped.has('messages.opaque')) refuseCompacted(asked);
    for (const field of neutral.dropped) to.losses.dropped.add(nameOf(field));
    for (const field of neutral.approximated) to.losses.approximated.add(nameOf(field));
    return call;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.details.field === undefined) throw error;
    throw new GatewayError(error.code, error.message, { ...error.details, field: nameOf(error.details.field) });
  }
}

/** Refuses what only the dialect's own vendor can do, where leaving it out would change what the request means. */
function refuseForeign(asked: ChatRequest, { express }: Provider): void {
  const servers = asked.unmapped?.['mcp_servers'];
  if (Array.isArray(servers) && servers.length > 0 && express?.dialect !== 'messages') {
    throw new GatewayError('unsupported_field', "MCP servers are not supported by the chosen model's provider.", { field: 'mcp_servers' });
  }
}

/** Refuses a conversation whose compacted beginning was left out, because only its own vendor can read that. */
function refuseCompacted(asked: ChatRequest): void {
  if (!asked.turns.some(({ content }) => content.some(isCompacted))) return;
  const message = 'A compacted conversation can be read by the provider that compacted it only: send the conversation itself.';
  throw new GatewayError('unsupported_field', message, { field: 'messages' });
}

type Block = ChatRequest['turns'][number]['content'][number];

function isCompacted(block: Block): boolean {
  if (block.type !== 'opaque' || typeof block.raw !== 'object' || block.raw === null) return false;
  return 'type' in block.raw && block.raw.type === 'compaction';
}
