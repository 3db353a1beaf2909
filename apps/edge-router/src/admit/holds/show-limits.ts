import type { ChatDialect, LimitMeasure, LimitWindow } from '@weir/contracts';
import type { GatewayError } from '@weir/errors';
import { formatDuration, type PlannedLimit } from '@weir/limits';
import type { ServerResponse } from 'node:http';
import { LimitRefusal } from './limit-refusal';

type ShownMeasure = Exclude<LimitMeasure, 'usd' | 'concurrent_requests' | 'concurrent_streams'>;

/** What a limit lets through now, as headers of replies show it. */
export type ShownLimit = {
  readonly measure: ShownMeasure;
  readonly limit: bigint;
  readonly remaining: bigint;
  /** UTC epoch milliseconds. */
  readonly resetAtMs: number;
};

type Spelling = {
  readonly names: Readonly<Record<ShownMeasure, string>>;
  write(what: 'limit' | 'remaining' | 'reset', name: string): string;
};

/** As the vendors of the dialects spell them; their SDKs and agents pace themselves by these. */
const USUAL: Spelling = {
  names: { requests: 'requests', tokens: 'tokens', input_tokens: 'tokens', output_tokens: 'tokens' },
  write: (what, name) => `x-ratelimit-${what}-${name}`,
};
const OF_MESSAGES: Spelling = {
  names: { requests: 'requests', tokens: 'tokens', input_tokens: 'input-tokens', output_tokens: 'output-tokens' },
  write: (what, name) => `anthropic-ratelimit-${name}-${what}`,
};

type ShownTo = { readonly dialect: ChatDialect | undefined; readonly nowMs: number };

export type ShownReply = Pick<ServerResponse, 'getHeader' | 'setHeader'>;

/** Shows it unless the reply has one with less left already. */
export function showLimit(reply: ShownReply, { measure, limit, remaining, resetAtMs }: ShownLimit, { dialect, nowMs }: ShownTo): void {
  const isMessages = dialect === 'messages';
  const { names, write } = isMessages ? OF_MESSAGES : USUAL;
  const name = names[measure];
  const left = remaining < 0n ? 0n : remaining;
  const before = reply.getHeader(write('remaining', name));
  if (before !== undefined && Number(before) <= Number(left)) return;
  const waitMs = Math.max(0, Math.ceil(resetAtMs - nowMs));
  reply.setHeader(write('limit', name), limit.toString());
  reply.setHeader(write('remaining', name), left.toString());
  reply.setHeader(write('reset', name), isMessages ? new Date(resetAtMs).toISOString() : formatDuration(waitMs));
}

/** No client paces its requests by longer ones. */
const PACED: ReadonlySet<LimitWindow> = new Set<LimitWindow>(['minute', 'hour', 'day', '24h']);

/** Null for a limit that no header has a name for, or that refuses nothing. */
export function toShownLimit({ rule, max }: PlannedLimit, remaining: bigint | null): ShownLimit | null {
  if (rule === undefined || max === null || remaining === null) return null;
  const { measure, window, freesAtMs } = rule;
  if (measure === 'usd' || measure === 'concurrent_requests' || measure === 'concurrent_streams') return null;
  if (window === null || freesAtMs === null || !PACED.has(window)) return null;
  return { measure, limit: max, remaining, resetAtMs: freesAtMs };
}

/** Whether there is anything to show of it. */
export function isShowable(limit: PlannedLimit): boolean {
  return toShownLimit(limit, 0n) !== null;
}

export function showLimits(reply: ShownReply, shownLimits: readonly ShownLimit[], to: ShownTo): void {
  for (const shown of shownLimits) showLimit(reply, shown, to);
}

/** Shows what is left of the limit that refused a request; returns the refusal. */
export function showRefused(reply: ShownReply, refusal: GatewayError, to: ShownTo): GatewayError {
  if (!(refusal instanceof LimitRefusal)) return refusal;
  const { limit, remaining } = refusal.refused;
  const shown = toShownLimit(limit, remaining);
  if (shown !== null) showLimit(reply, shown, to);
  return refusal;
}
