import { NO_USAGE } from '@weir/canonical';
import type { Passport } from '@weir/contracts';
import { describeFailure, type Outcome } from '@weir/exchange';
import { createMaskBook, createRuleCompiler } from '@weir/guardrails';
import { parseJsonBody, type WorkerRequest } from '@weir/http-server';
import { openAttempt, type Till } from '@weir/usage-journal';
import type { ScannerParts } from './ask-scanners';
import { createRequestGuard, type GuardrailVerdict, type RequestGuard } from './request-guard';

export type GuardRequest = (work: WorkerRequest) => Promise<GuardedRequest>;

/** A request as it may go on. `guard` is absent where no guardrail holds. */
export type GuardedRequest = { readonly work: WorkerRequest; readonly guard?: RequestGuard };

export const VERDICT_HEADER = 'x-weir-guardrail';
/** Counting tokens is not metered, however it ends. */
const UNMETERED = 'count-tokens';

/**
 * Has the guardrails of a request look at it before anything else does. Throws what refuses it; that is in its usage too,
 * as an attempt that was never sent.
 */
export function createRequestGuards({ till, scanners }: { readonly till: Till; readonly scanners: ScannerParts }): GuardRequest {
  const compile = createRuleCompiler();
  return async (work) => {
    const { passport } = work;
    if (passport.guardrails === undefined) return { work };
    const body = work.parsed ?? parseJsonBody(work.body);
    const guard = createRequestGuard({
      rules: compile(passport.guardrails),
      book: createMaskBook((placeholder) => body.text.includes(placeholder)),
      scanners,
      requestId: passport.requestId,
      organizationId: passport.caller.organizationId,
    });
    const text = await guard.checkRequest(body);
    const refusal = guard.refusal();
    const guardrail = guard.verdict();
    work.response.setHeader(VERDICT_HEADER, guardrail);
    if (refusal !== undefined) {
      if (passport.endpointId !== UNMETERED) recordRefusal(till, passport, { guardrail, ...describeFailure(refusal) });
      throw refusal;
    }
    if (text === body.text) return { work, guard };
    const masked = Buffer.from(text);
    return { work: { ...work, body: masked, parsed: parseJsonBody(masked) }, guard };
  };
}

function recordRefusal(till: Till, passport: Passport, facts: Outcome & { readonly guardrail: GuardrailVerdict }): void {
  openAttempt(till, passport, { index: 0, promptEstimate: 0 }).close({ usage: NO_USAGE, isLogical: true, ...facts });
}
