import { planAnswer } from './plan-reply';

const answers = Array.from({ length: 1000 }, (_, n) => planAnswer(n));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('how long a model answers', () => {
  it('is within its ranges, and in the middle of them on the average', () => {
    for (const { frames, streamMs, wholeMs } of answers) {
      expect([frames >= 100 && frames <= 300, streamMs >= 1000 && streamMs <= 3000, wholeMs >= 500 && wholeMs <= 1000]).not.toContain(
        false,
      );
    }
    expect(mean(answers.map(({ frames }) => frames)) / 200).toBeCloseTo(1, 1);
    expect(mean(answers.map(({ streamMs }) => streamMs)) / 2000).toBeCloseTo(1, 1);
  });

  it('is not long for all those that follow one another', () => {
    for (let at = 0; at + 20 <= answers.length; at += 20) {
      expect(mean(answers.slice(at, at + 20).map(({ streamMs }) => streamMs)) / 2000).toBeCloseTo(1, 0);
    }
  });
});
