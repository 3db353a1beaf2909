import {
  createGuardOpener,
  describeFailure,
  VERDICT_HEADER,
  type RequestGuard,
  type ScannerParts,
  type WatchedRequest,
} from '@weir/exchange';
import { recordRefusal, type Meter } from '@weir/meter';
import type { MapTexts } from './map-texts';

/** A request as it may go on. `guard` is absent where no guardrail applies. */
type GuardedMediaRequest<Asked> = { readonly asked: Asked; readonly guard?: RequestGuard };

export type GuardMediaRequest = <Asked>(
  asked: Asked,
  mapTexts: MapTexts<Asked>,
  request: Pick<WatchedRequest, 'forwarded'>,
) => Promise<GuardedMediaRequest<Asked>>;

/**
 * Runs the guardrails of a request over its texts before a provider is called. Throws the refusal; it is journalled too,
 * as an attempt that was never sent.
 */
export function createMediaGuard({ meter, scanners }: { readonly meter: Meter; readonly scanners: ScannerParts }): GuardMediaRequest {
  const openGuard = createGuardOpener(scanners);
  return async (asked, mapTexts, { forwarded: { passport, response } }) => {
    if (passport.guardrails === undefined) return { asked };
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
    if (refusal === undefined) return { asked: masked, guard };
    recordRefusal(meter, passport, { guardrail, ...describeFailure(refusal) });
    throw refusal;
  };
}
