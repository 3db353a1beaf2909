import type { Passport } from '@weir/contracts';
import { createMaskBook, createRuleCompiler } from '@weir/guardrails';
import type { ScannerParts } from './ask-scanners';
import { createRequestGuard, type RequestGuard } from './request-guard';

/** Tells callers what guardrails made of their request. */
export const VERDICT_HEADER = 'x-weir-guardrail';

/** Makes the guard of one request; `isTaken` tells placeholders that the caller wrote as such. */
export type OpenGuard = (passport: Passport, isTaken: (placeholder: string) => boolean) => RequestGuard;

/** One for each process: rules are compiled once for all requests that they hold for. */
export function createGuardOpener(scanners: ScannerParts): OpenGuard {
  const compile = createRuleCompiler();
  return ({ guardrails = [], requestId, caller }, isTaken) =>
    createRequestGuard({
      rules: compile(guardrails),
      book: createMaskBook(isTaken),
      scanners,
      requestId,
      organizationId: caller.organizationId,
    });
}
