import type { Passport } from '@weir/contracts';
import { createMaskBook, createRuleCompiler } from '@weir/guardrails';
import type { ScannerParts } from './ask-scanners';
import { createRequestGuard, type RequestGuard } from './request-guard';

/** Reports the guardrails' verdict to callers. */
export const VERDICT_HEADER = 'x-weir-guardrail';

/** Makes the guard of one request; `texts` are what the caller wrote, for placeholders that stand in there as such. */
type OpenGuard = (passport: Passport, texts: readonly string[]) => RequestGuard;

/** One for each process: rules are compiled once for all requests that they hold for. */
export function createGuardOpener(scanners: ScannerParts): OpenGuard {
  const compile = createRuleCompiler();
  return ({ guardrails = [], requestId, caller }, texts) =>
    createRequestGuard({
      rules: compile(guardrails),
      book: createMaskBook(texts),
      scanners,
      requestId,
      organizationId: caller.organizationId,
    });
}
