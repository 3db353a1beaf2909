import { endsRequest } from './should-try-next';

export type AttemptRunner<Attempt, Opened> = (attempt: Attempt, index: number) => Promise<Opened>;

/**
 * Opens the attempts in order until one answers. `open` resolves before anything reaches the caller, so moving on is
 * always safe here; once it has resolved the choice is final. Rejects with the last attempt's error.
 */
export async function runAttempts<Attempt, Opened>(
  attempts: readonly Attempt[],
  open: AttemptRunner<Attempt, Opened>,
): Promise<{ opened: Opened; attempt: Attempt; index: number }> {
  for (let index = 0; ; index += 1) {
    const attempt = attempts[index] as Attempt;
    try {
      return { opened: await open(attempt, index), attempt, index };
    } catch (error) {
      if (endsRequest(error, { index, count: attempts.length })) throw error;
    }
  }
}
