import type { Passport } from '@weir/contracts';
import { JournalUnavailableError } from '@weir/usage-journal';
import type { Meter } from '../meter';
import { openAttempt } from './open-attempt';

const passport = {} as Passport;
const place = { index: 0, promptEstimate: 1 };

function throwing(error: Error): Meter {
  return {
    openAttempt: () => {
      throw error;
    },
  };
}

describe('M7: opening an attempt in a journal', () => {
  it.each(['full', 'failed', 'closed'] as const)('that is %s is refused with 503 and when to come back', (reason) => {
    const open = (): unknown => openAttempt(throwing(new JournalUnavailableError(reason)), passport, place);
    expect(open).toThrow(
      expect.objectContaining({ code: 'overloaded', details: expect.objectContaining({ retryAfterSeconds: 30 }) as object }) as Error,
    );
  });

  it('hides no error of its own making', () => {
    expect(() => openAttempt(throwing(new RangeError('no attempt')), passport, place)).toThrow('no attempt');
  });
});
