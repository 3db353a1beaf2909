import type { Faults } from '../physics/faults';
import type { Dice } from '../physics/dice';

/** What a provider does with one call. `tokens`: of output, as it counts them. */
export type Reply = {
  readonly kind: 'whole' | 'unreported' | 'impossible' | 'refused' | 'failed-with-usage' | 'cut' | 'silent';
  readonly headMs: number;
  readonly pieces: number;
  readonly pieceMs: number;
  readonly promptTokens: number;
  readonly tokens: number;
  readonly cachedTokens: number;
};

/** One request of the load, with all that becomes of it if nothing else happens. */
export type Script = {
  readonly customer: number;
  readonly isFree: boolean;
  readonly isStream: boolean;
  readonly attempts: number;
  readonly maxTokens: number | null;
  readonly prompt: string;
  readonly replies: readonly Reply[];
  /** So long after it came the caller leaves. */
  readonly leavesAfterMs: number | null;
  /** How long it waits for its turn at the provider. */
  readonly queuedMs: number;
};

const PROMPT = 'What was used is counted once, whatever dies meanwhile. ';

export function writeScript(dice: Dice, customers: number, faults: Faults): Script {
  const attempts = dice.between(1, 3);
  const maxTokens = dice.chance(0.9) ? dice.between(16, 400) : null;
  const isStream = dice.chance(0.6);
  const prompt = PROMPT.repeat(dice.between(1, 6));
  return {
    customer: dice.between(0, customers - 1),
    isFree: dice.chance(0.1),
    ...{ isStream, attempts, maxTokens, prompt },
    replies: Array.from({ length: attempts }, () => writeReply(dice, { isStream, most: maxTokens ?? 400, prompt }, faults)),
    leavesAfterMs: dice.chance(0.1) && faults.strikes('caller-leaves') ? dice.between(5, 8_000) : null,
    queuedMs: dice.chance(0.05) ? dice.between(10, 4_000) : 0,
  };
}

function writeReply(dice: Dice, { isStream, most, prompt }: { isStream: boolean; most: number; prompt: string }, faults: Faults): Reply {
  const tokens = dice.between(1, most);
  const promptTokens = Math.ceil(prompt.length / dice.between(4, 6));
  return {
    kind: chooseKind(dice, faults),
    headMs: dice.between(5, 900),
    pieces: isStream ? dice.between(1, 12) : 1,
    pieceMs: dice.between(1, 700),
    ...{ promptTokens, tokens },
    cachedTokens: dice.chance(0.3) ? dice.between(0, promptTokens) : 0,
  };
}

function chooseKind(dice: Dice, faults: Faults): Reply['kind'] {
  const thrown = dice.next();
  if (thrown < 0.3 && faults.strikes('provider')) {
    return dice.pick(['unreported', 'refused', 'failed-with-usage', 'cut', 'silent'] as const);
  }
  if (thrown > 0.9 && faults.strikes('impossible-usage')) return 'impossible';
  return 'whole';
}
