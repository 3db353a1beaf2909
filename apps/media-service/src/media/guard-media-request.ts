import { createGuardOpener, describeFailure, VERDICT_HEADER, type RequestRun, type ScannerParts } from '@weir/exchange';
import { mapTexts } from './map-texts';

/**
 * Runs the guardrails of a request over its texts before a provider is called; from then on the run has its guard. Returns what is
 * asked for as it may go on. Rejects with the refusal; it is journalled too, as an attempt that was never sent.
 */
export type GuardMediaRequest = <Asked extends object>(asked: Asked, run: RequestRun) => Promise<Asked>;

export function createMediaGuard({ scanners }: { readonly scanners: ScannerParts }): GuardMediaRequest {
  const openGuard = createGuardOpener(scanners);
  return async (asked, run) => {
    const { passport, response } = run.forwarded;
    if (passport.guardrails === undefined) return asked;
    const texts: string[] = [];
    mapTexts(asked, (text) => {
      texts.push(text);
      return text;
    });
    const guard = openGuard(passport, texts);
    const masked = mapTexts(asked, await guard.checkTexts(texts));
    const refusal = guard.refusal();
    const guardrail = guard.verdict();
    response.setHeader(VERDICT_HEADER, guardrail);
    if (refusal === undefined) {
      run.guardWith(guard);
      return masked;
    }
    run.meter.recordRefusal({ guardrail, ...describeFailure(refusal) });
    throw refusal;
  };
}
