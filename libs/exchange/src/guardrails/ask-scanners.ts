import { GatewayError } from '@weir/errors';
import type { GuardedFetcher } from '@weir/guarded-fetch';
import type { GuardrailRule, Literals, Stage, StageRules } from '@weir/guardrails';
import { z } from 'zod';

export type ScannerParts = {
  readonly fetcher: Pick<GuardedFetcher, 'post'>;
  /** How long a scanner may take for one question. */
  readonly timeoutMs: number;
};

/** No one can be asked. */
export const NO_SCANNERS: ScannerParts = {
  fetcher: { post: () => Promise.reject(new Error('scanners are not set up here')) },
  timeoutMs: 1,
};

type ScanQuestion = {
  readonly stage: Stage;
  readonly texts: readonly string[];
  readonly requestId: string;
  readonly organizationId: string;
};

/** What scanners made of the texts, all of them together. */
type ScanAnswer = {
  /** The rule that refuses the texts. */
  readonly stoppedBy: GuardrailRule | undefined;
  readonly isFlagged: boolean;
  /** What is to be masked. */
  readonly literals: readonly Literals[];
  /** Rules whose scanner failed. */
  readonly failed: readonly GuardrailRule[];
};

type Verdict = { readonly rule: GuardrailRule; readonly answer: z.infer<typeof scannerAnswer> | undefined };

/** What a scanner returns; further fields are ignored. */
const scannerAnswer = z.object({
  verdict: z.enum(['passed', 'flagged']),
  findings: z
    .array(
      z.object({
        /** What was found, in a word. */
        name: z.string().max(64).default('finding'),
        /** Which text, from 0, and where in it, in UTF-16 code units, the end exclusive. */
        text: z.int().min(0),
        start: z.int().min(0),
        end: z.int().min(1),
      }),
    )
    .max(10_000)
    .default([]),
});

/** Asks every scanner at once. Never rejects: a scanner that is slow, away or unreadable has failed. */
export async function askScanners(scanners: StageRules['scanners'], question: ScanQuestion, parts: ScannerParts): Promise<ScanAnswer> {
  const verdicts = await Promise.all(scanners.map((rule) => askOne(rule, question, parts)));
  const found = verdicts.filter(({ answer }) => answer?.verdict === 'flagged');
  const masks = found.filter(({ rule }) => rule.action === 'mask').map((verdict) => readLiterals(verdict, question.texts));
  // What is to be masked but was not pointed out cannot be masked.
  const unmaskable = masks.find(({ values }) => values.length === 0);
  const blocking = found.find(({ rule }) => rule.action === 'block');
  return {
    stoppedBy: blocking?.rule ?? unmaskable?.rule,
    isFlagged: found.length > 0,
    literals: masks.filter(({ values }) => values.length > 0),
    failed: verdicts.filter(({ answer }) => answer === undefined).map(({ rule }) => rule),
  };
}

async function askOne(
  rule: StageRules['scanners'][number],
  { stage, texts, requestId, organizationId }: ScanQuestion,
  { fetcher, timeoutMs }: ScannerParts,
): Promise<Verdict> {
  try {
    const { status, text } = await fetcher.post({
      url: rule.scannerUrl,
      field: 'scanner_url',
      owner: organizationId,
      headers: {},
      body: JSON.stringify({ stage, request_id: requestId, guardrail: rule.name, texts }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (status !== 200) return { rule, answer: undefined };
    return { rule, answer: scannerAnswer.parse(JSON.parse(text)) };
  } catch {
    return { rule, answer: undefined }; // why it failed is its owner's to find out; that it did is in the verdict
  }
}

function readLiterals({ rule, answer }: Verdict, texts: readonly string[]): Literals {
  const findings = answer?.findings ?? [];
  const values = findings.map(({ text, start, end }) => texts[text]?.slice(start, end) ?? '').filter((value) => value !== '');
  return { rule, name: findings[0]?.name ?? 'finding', values: [...new Set(values)] };
}

/** Why a request is refused whose scanner failed. */
export function describeFailedScan({ name }: GuardrailRule): GatewayError {
  return new GatewayError(
    'dependency_down',
    `The scanner of the guardrail "${name}" could not be asked, and without it nothing passes. Try again shortly, or ask an administrator to check the scanner.`,
  );
}
