import { describePolicy, drawPolicy, writeShare } from './draw-policy';
import type { Policy } from './rules-queries';

function policy(name: string, strategy: Policy['strategy'], models: readonly (readonly [string, number])[]): Policy {
  const members = models.map(([model, weight]) => ({ model, weight, retries: 0 }));
  return { id: `policy/${name}`, name, version: 1, created_at: '', updated_at: '', strategy, models: members };
}

const inner = policy('inner', 'fallback', [
  ['a/b', 1],
  ['c/d', 1],
]);
const outer = policy('outer', 'weighted', [
  ['policy/inner', 3],
  ['e/f', 1],
]);

it('has the shares of weights, and the members of policies inside', () => {
  expect(drawPolicy(outer, [inner, outer])).toEqual([
    {
      ...{ model: 'policy/inner', place: 1, retries: 0, share: 0.75 },
      inside: [
        { model: 'a/b', place: 1, retries: 0, share: 1, inside: [] },
        { model: 'c/d', place: 2, retries: 0, share: 0, inside: [] },
      ],
    },
    { model: 'e/f', place: 2, retries: 0, share: 0.25, inside: [] },
  ]);
});

it('claims no share where the order is only known for a request', () => {
  const measured = policy('fast', 'latency', [
    ['a/b', 1],
    ['c/d', 1],
  ]);
  expect(drawPolicy(measured, []).map(({ share }) => share)).toEqual([null, null]);
  expect(drawPolicy(policy('one', 'price', [['a/b', 1]]), []).map(({ share }) => share)).toEqual([1]);
});

it('ends where policies hold one another, and says the same in words', () => {
  const circle = policy('circle', 'fallback', [['policy/circle', 1]]);
  expect(JSON.stringify(drawPolicy(circle, [circle])).match(/policy\/circle/g)).toHaveLength(4);
  expect(describePolicy(outer)).toBe(
    'policy/outer begins by weight with one of: policy/inner 75%, e/f 25%; when it fails, the others follow.',
  );
  expect([writeShare(1 / 3), writeShare(0.015), writeShare(0)]).toEqual(['33%', '1.5%', '0%']);
});
