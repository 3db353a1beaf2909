import type { ChatSession } from './chat-session';

/** The most tokens that all answers to a request can have together; undefined when nothing limits them. `modelMax`: of one answer. */
export function findOutputMax(session: Pick<ChatSession, 'asked'>, modelMax: number | null): number | undefined {
  const { maxOutputTokens, choices = 1 } = readAsked(session);
  const limits = [maxOutputTokens, modelMax].filter((limit) => limit !== undefined && limit !== null);
  return limits.length === 0 ? undefined : Math.min(...limits) * Math.max(1, choices);
}

type AskedOutput = Partial<Pick<ReturnType<ChatSession['asked']>, 'maxOutputTokens' | 'choices'>>;

/** In the express lane nobody has understood the request yet, and nobody needs to. */
function readAsked(session: Pick<ChatSession, 'asked'>): AskedOutput {
  try {
    return session.asked();
  } catch {
    return {};
  }
}
