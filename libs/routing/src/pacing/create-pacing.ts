import type { Allowance, Attempt } from '@weir/contracts';
import { accountKeyOf } from './account-key';
import { shareLeft, type ReportedAllowance } from './allowance-left';
import { PacedAccount, type AccountParts, type Turn } from './paced-account';

/** The headers of a provider's reply. */
export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What is known in this process of how much accounts may be sent. Shared by all that sends. */
export type Pacing = {
  /** How long a request may wait for its turn in all; 0: none waits. */
  readonly queueMs: number;
  /** The account of an attempt, where requests to it take turns; undefined, as nearly always, where nothing is known against sending. */
  find(attempt: Attempt): PacedAccount | undefined;
  /** What is left of the account for this attempt, in tenths of its limit; as much as there can be where nothing is known. */
  tenthsLeft(attempt: Attempt): number;
  /** From when on it could be sent; the past where it can now. */
  readyAtMs(attempt: Attempt): number;
  noteServed(attempt: Attempt, turn: Turn | undefined, headers: ReplyHeaders): void;
  noteRefused(attempt: Attempt, turn: Turn | undefined, refusal: Refusal): void;
  /** How many wait, by provider. */
  waiting(): ReadonlyMap<string, number>;
  /** What is left of the accounts among which there is a choice, for each model that was asked there: 0 to 1. For people and metrics. */
  allowances(): readonly AccountAllowance[];
};

type AccountAllowance = { readonly providerId: string; readonly accountId: string; readonly left: number };

type Refusal = { readonly headers: ReplyHeaders | undefined; readonly retryAfterSeconds?: number | undefined };

type PacingParts = Partial<AccountParts> & {
  readonly queueMs: number;
  /** Reads what a provider says of its rate. Never throws. */
  readonly readAllowance: (headers: ReplyHeaders, nowMs: number) => Allowance;
  /** Whether there is anything in it that says that nothing is left: cheap. */
  readonly isSpent: (headers: ReplyHeaders) => boolean;
};

/** Per account: as many as can be served in a few seconds at any provider's rate, and no more memory than they need. */
const WAITING_MAX = 1_000;
const ACCOUNTS_MAX = 10_000;
const ALL_TENTHS = 10;
const NO_HEADERS: ReplyHeaders = Object.freeze({});

type LastReply = {
  readonly headers: ReplyHeaders;
  readonly atMs: number;
  readonly of: { readonly providerId: string; readonly accountId?: string | undefined };
  read?: ReportedAllowance;
};

function schedule(afterMs: number, onTime: () => void): () => void {
  const timer = setTimeout(onTime, afterMs);
  return () => clearTimeout(timer);
}

export function createPacing(given: PacingParts): Pacing {
  return new AccountPacing({ now: Date.now, schedule, onWaited: () => undefined, waitingMax: WAITING_MAX, ...given });
}

/** For processes in which nothing waits and nothing is known of allowances. */
export function createNoPacing(): Pacing {
  return createPacing({ queueMs: 0, readAllowance: () => NO_HEADERS, isSpent: () => false });
}

class AccountPacing implements Pacing {
  /** Those under pressure; nearly always none. */
  private readonly paced = new Map<string, PacedAccount>();
  /** The last replies of accounts among which there is a choice. Read when one is to be made. */
  private readonly replies = new Map<string, LastReply>();

  constructor(private readonly parts: PacingParts & AccountParts) {}

  get queueMs(): number {
    return this.parts.queueMs;
  }

  find(attempt: Attempt): PacedAccount | undefined {
    if (this.paced.size === 0) return undefined;
    const key = accountKeyOf(attempt);
    const account = this.paced.get(key);
    if (account?.isCalm() !== true) return account;
    this.paced.delete(key);
    return undefined;
  }

  tenthsLeft(attempt: Attempt): number {
    const reply = this.replies.size === 0 ? undefined : this.replies.get(accountKeyOf(attempt));
    if (reply === undefined) return ALL_TENTHS;
    return Math.floor(shareLeft(this.read(reply), this.parts.now()) * ALL_TENTHS);
  }

  readyAtMs(attempt: Attempt): number {
    const account = this.find(attempt);
    if (account === undefined || account.isClear()) return -Infinity;
    return Math.max(account.readyAtMs(), this.parts.now());
  }

  noteServed(attempt: Attempt, turn: Turn | undefined, headers: ReplyHeaders): void {
    if (attempt.accountId !== undefined) this.remember(attempt, headers);
    if (turn !== undefined) return turn.account.noteServed(turn, this.parts.readAllowance(headers, this.parts.now()));
    if (this.queueMs === 0 || (this.paced.size === 0 && !this.parts.isSpent(headers))) return;
    const account = this.find(attempt) ?? (this.parts.isSpent(headers) ? this.add(attempt) : undefined);
    account?.noteServed(undefined, this.parts.readAllowance(headers, this.parts.now()));
  }

  noteRefused(attempt: Attempt, turn: Turn | undefined, { headers = NO_HEADERS, retryAfterSeconds }: Refusal): void {
    if (attempt.accountId !== undefined) this.remember(attempt, headers);
    if (this.queueMs === 0) return;
    const account = turn?.account ?? this.find(attempt) ?? this.add(attempt);
    const retryAfterMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
    account.noteRefused(turn, this.parts.readAllowance(headers, this.parts.now()), retryAfterMs);
  }

  waiting(): ReadonlyMap<string, number> {
    const waiting = new Map<string, number>();
    for (const account of this.paced.values()) {
      waiting.set(account.providerId, (waiting.get(account.providerId) ?? 0) + account.waiting);
    }
    return waiting;
  }

  allowances(): readonly AccountAllowance[] {
    const nowMs = this.parts.now();
    return [...this.replies.values()].map((reply) => {
      const { providerId, accountId = '' } = reply.of;
      return { providerId, accountId, left: shareLeft(this.read(reply), nowMs) };
    });
  }

  private read(reply: LastReply): ReportedAllowance {
    return (reply.read ??= { allowance: this.parts.readAllowance(reply.headers, reply.atMs), atMs: reply.atMs });
  }

  private add(attempt: Attempt): PacedAccount {
    if (this.paced.size >= ACCOUNTS_MAX) this.forgetSome();
    const account = new PacedAccount(attempt.providerId, this.parts);
    this.paced.set(accountKeyOf(attempt), account);
    return account;
  }

  /** Those in which no one waits: they are learned anew where it matters. */
  private forgetSome(): void {
    for (const [key, account] of this.paced) if (account.waiting === 0) this.paced.delete(key);
  }

  private remember(attempt: Attempt, headers: ReplyHeaders): void {
    if (this.replies.size >= ACCOUNTS_MAX) this.replies.clear();
    this.replies.set(accountKeyOf(attempt), { headers, atMs: this.parts.now(), of: attempt });
  }
}
