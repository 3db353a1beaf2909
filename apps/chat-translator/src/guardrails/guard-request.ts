import { COUNTING_ENDPOINTS } from '@weir/contracts';
import { createGuardOpener, describeFailure, VERDICT_HEADER, type RequestGuard, type ScannerParts } from '@weir/exchange';
import { readJsonBody, type ForwardedRequest } from '@weir/http-server';
import { recordRefusal, type Meter } from '@weir/meter';

export type GuardRequest = (forwarded: ForwardedRequest) => Promise<GuardedRequest>;

/** A request as its guardrails let it pass. `guard` is absent where no guardrail applies. */
type GuardedRequest = { readonly forwarded: ForwardedRequest; readonly guard?: RequestGuard };

/**
 * Has the guardrails of a request check it before anything else reads it. Throws the refusal, which is also recorded as a
 * usage event of an attempt that was never sent.
 */
export function createRequestGuards({ meter, scanners }: { readonly meter: Meter; readonly scanners: ScannerParts }): GuardRequest {
  const openGuard = createGuardOpener(scanners);
  return async (forwarded) => {
    const { passport } = forwarded;
    if (passport.guardrails === undefined) return { forwarded };
    const body = forwarded.parsed ?? (await readJsonBody(forwarded.body));
    const guard = openGuard(passport, [body.text]);
    const text = await guard.checkRequest(body);
    const refusal = guard.refusal();
    const guardrail = guard.verdict();
    forwarded.response.setHeader(VERDICT_HEADER, guardrail);
    if (refusal !== undefined) {
      if (!COUNTING_ENDPOINTS.has(passport.endpointId)) recordRefusal(meter, passport, { guardrail, ...describeFailure(refusal) });
      throw refusal;
    }
    if (text === body.text) return { forwarded, guard };
    const masked = Buffer.from(text);
    return { forwarded: { ...forwarded, body: masked, parsed: await readJsonBody(masked) }, guard };
  };
}
