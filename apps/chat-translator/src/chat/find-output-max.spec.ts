import type { ChatRequest } from '@weir/canonical';
import { findOutputMax } from './find-output-max';

const asking = (request: Partial<ChatRequest>) => ({ asked: () => request as ChatRequest });

describe('the most that can be answered', () => {
  it.each<[string, Partial<ChatRequest>, number | null, number | undefined]>([
    ['what was asked for', { maxOutputTokens: 100 }, 4_096, 100],
    ['what the model can say', { maxOutputTokens: 9_000 }, 4_096, 4_096],
    ['that for each of several answers', { maxOutputTokens: 100, choices: 3 }, 4_096, 300],
    ['nothing that is known', { choices: 3 }, null, undefined],
  ])('is %s', (_, request, modelMax, most) => {
    expect(findOutputMax(asking(request), modelMax)).toBe(most);
  });

  it('is what the model can say where the request cannot be read', () => {
    const asked = (): never => {
      throw new Error('not of this dialect');
    };
    expect(findOutputMax({ asked }, 4_096)).toBe(4_096);
  });
});
