import type { ChatSession } from '../session/chat-session';
import type { ExpressExchange } from '../exchange/open-exchange';
import { cleanFrames } from '../frames/clean-frames';
import { createRepairRules } from '../repairs/repair-rules';
import { createStreamRepair } from '../repairs/repair-stream';

/** How frames are changed before they are read; undefined where the provider keeps to the dialect. */
export function chooseCleaning(session: ChatSession, { lane }: ExpressExchange): ((whole: Buffer) => Buffer) | undefined {
  const { createFrameCleaner, deviations = [] } = lane.express;
  const cleanFrame = createFrameCleaner?.();
  const clean = cleanFrame === undefined ? undefined : (whole: Buffer) => cleanFrames(whole, cleanFrame);
  if (session.dialect !== 'chat-completions' || deviations.length === 0) return clean;
  const repair = createStreamRepair(createRepairRules(deviations, lane.target.attempt.modelId));
  return clean === undefined ? repair : (whole) => repair(clean(whole));
}
