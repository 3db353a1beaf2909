import {
  createGuardOpener,
  describeFailure,
  VERDICT_HEADER,
  type RequestGuard,
  type ScannerParts,
  type WatchedRequest,
} from '@weir/exchange';
import { recordRefusal, type Meter } from '@weir/usage-journal';
import type { MediaKind } from './media-kind';

/** A request as it may go on. `guard` is absent where no guardrail holds. */
export type GuardedAsk<Asked> = { readonly asked: Asked; readonly guard?: RequestGuard };

export type GuardAsked = <Asked>(
  asked: Asked,
  mapTexts: MediaKind<Asked>['mapTexts'],
  request: Pick<WatchedRequest, 'forwarded'>,
) => Promise<GuardedAsk<Asked>>;

/**
 * Has the guardrails of a request look at its words before anybody is called. Throws what refuses it; that is in its
 * usage too, as an attempt that was never sent.
 */
export function createAskedGuard({ meter, scanners }: { readonly meter: Meter; readonly scanners: ScannerParts }): GuardAsked {
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
