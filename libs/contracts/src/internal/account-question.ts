import { z } from 'zod';

/** Path on which a worker that calls providers replies to questions about its accounts there. Sealed both ways: no one else can ask or read. */
export const ACCOUNT_QUESTION_PATH = '/internal/provider-account';
/** What question and answer are sealed for. */
export const ACCOUNT_QUESTION = 'question about a provider account';
export const ACCOUNT_ANSWER = 'answer about a provider account';
/** An older question gets no reply, so that a recorded one cannot be replayed. */
export const ACCOUNT_QUESTION_MS_MAX = 60_000;

/** As both travel. */
export const sealedMessage = z.strictObject({ sealed: z.string().min(1) });

export const accountQuestion = z.strictObject({
  /** `inspect`: do the fields fit the provider, asked of no one. `probe`: does the provider accept them, asked of itself. */
  kind: z.enum(['inspect', 'probe']),
  provider: z.string(),
  fields: z.record(z.string(), z.string()),
  /** UTC epoch milliseconds. */
  askedAtMs: z.number(),
});
export type AccountQuestion = z.output<typeof accountQuestion>;

export const accountInspection = z.strictObject({
  /** Absent when the fields make an account. */
  problem: z
    .strictObject({ kind: z.enum(['unknown-provider', 'unknown-field', 'value']), field: z.string().optional(), message: z.string() })
    .optional(),
  /** The value people recognize the account by; empty where there is none. */
  secret: z.string(),
});
export type AccountInspection = z.output<typeof accountInspection>;

export const accountProbe = z.union([z.strictObject({ ok: z.literal(true) }), z.strictObject({ ok: z.literal(false), why: z.string() })]);
export type AccountProbe = z.output<typeof accountProbe>;
