import { planReply } from './plan-reply';

const replies = Array.from({ length: 1000 }, (_, n) => planReply(n));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('how long the reply of a model takes', () => {
  it('is within its range, and on average in the middle of it', () => {
    for (const { frames, streamMs, wholeMs } of replies) {
      expect([frames >= 100 && frames <= 300, streamMs >= 1000 && streamMs <= 3000, wholeMs >= 500 && wholeMs <= 1000]).not.toContain(
        false,
      );
    }
    expect(mean(replies.map(({ frames }) => frames)) / 200).toBeCloseTo(1, 1);
    expect(mean(replies.map(({ streamMs }) => streamMs)) / 2000).toBeCloseTo(1, 1);
  });

  it('averages out over every twenty replies that follow one another', () => {
    for (let at = 0; at + 20 <= replies.length; at += 20) {
      expect(mean(replies.slice(at, at + 20).map(({ streamMs }) => streamMs)) / 2000).toBeCloseTo(1, 0);
    }
  });
});
