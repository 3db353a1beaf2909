import type { OutgoingHttpHeaders } from 'node:http';
import type { RecordedRequest } from './recorded-request';

type ReplyBase = {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  /** Silence before the status line. */
  readonly delayMs?: number;
};

export type BodyReply = ReplyBase & {
  /** Text and bytes go out as they are; anything else as JSON. */
  readonly body?: unknown;
  /** Never replies at all. */
  readonly hang?: boolean;
};

export type StreamReply = ReplyBase & {
  /** Sent one write each, exactly as given; they carry their own `data:` lines. */
  readonly stream: readonly (string | Uint8Array)[];
  readonly gapMs?: number;
  /** Destroys the connection after this many pieces. */
  readonly cutAfter?: number;
  /** Sends all pieces, then keeps the connection open in silence. */
  readonly hang?: boolean;
};

export type ReplyScript = BodyReply | StreamReply;

export type ReplyRule = {
  /** Without it the script serves the next request that no other rule took, once. */
  readonly when?: (request: RecordedRequest) => boolean;
  /** How many requests it serves; a rule with `when` serves all it matches. */
  readonly times?: number;
};

/** A script, or a function that writes it after seeing the request. */
export type ReplyPlan = ReplyScript | ((request: RecordedRequest) => ReplyScript);

type Entry = { readonly plan: ReplyPlan; readonly when: ((request: RecordedRequest) => boolean) | undefined; left: number };

type ReplyBook = {
  add(plan: ReplyPlan, rule?: ReplyRule): void;
  /** The script for a request; undefined when none is left for it. */
  take(request: RecordedRequest): ReplyScript | undefined;
  /** How many one-time scripts no one asked for. */
  unusedCount(): number;
};

export function createReplyBook(): ReplyBook {
  const entries: Entry[] = [];

  return {
    add(plan, rule = {}) {
      entries.push({ plan, when: rule.when, left: rule.times ?? (rule.when === undefined ? 1 : Infinity) });
    },
    take(request) {
      const entry = entries.find((one) => one.left > 0 && (one.when === undefined || one.when(request)));
      if (entry === undefined) return undefined;
      entry.left -= 1;
      return typeof entry.plan === 'function' ? entry.plan(request) : entry.plan;
    },
    unusedCount: () => entries.filter((one) => one.left > 0 && one.left !== Infinity).length,
  };
}
