import { COUNTING_ENDPOINTS } from '@weir/contracts';
import { createGuardOpener, describeFailure, VERDICT_HEADER, type RequestRun, type ScannerParts } from '@weir/exchange';
import { readJsonBody } from '@weir/http-server';

/**
 * Has the guardrails of a request check it before anything else reads it: from then on the request is as they let it pass, and
 * has its guard. Rejects with the refusal, which is also recorded as a usage event of an attempt that was never sent.
 */
export type GuardRequest = (run: RequestRun) => Promise<void>;

export function createRequestGuards({ scanners }: { readonly scanners: ScannerParts }): GuardRequest {
  const openGuard = createGuardOpener(scanners);
  return async (run) => {
    const { forwarded } = run;
    const { passport } = forwarded;
    if (passport.guardrails === undefined) return;
    const body = forwarded.parsed ?? (await readJsonBody(forwarded.body));
    const guard = openGuard(passport, [body.text]);
    const text = await guard.checkRequest(body);
    const refusal = guard.refusal();
    const guardrail = guard.verdict();
    forwarded.response.setHeader(VERDICT_HEADER, guardrail);
    if (refusal !== undefined) {
      if (!COUNTING_ENDPOINTS.has(passport.endpointId)) run.meter.recordRefusal({ guardrail, ...describeFailure(refusal) });
      throw refusal;
    }
    run.guardWith(guard);
    if (text === body.text) return;
    const masked = Buffer.from(text);
    run.forwarded = { ...forwarded, body: masked, parsed: await readJsonBody(masked) };
  };
}
