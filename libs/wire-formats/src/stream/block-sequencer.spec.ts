import type { BlockEvent } from './block-events';
import { createBlockSequencer } from './block-sequencer';

const start = (block: number): BlockEvent => ({ type: 'text-start', choice: 0, block });
const delta = (block: number, text: string): BlockEvent => ({ type: 'text-delta', choice: 0, block, text });
const end = (block: number): BlockEvent => ({ type: 'text-end', choice: 0, block });

function run(events: readonly BlockEvent[], closes = false): BlockEvent[] {
  const out: BlockEvent[] = [];
  const sequencer = createBlockSequencer((event) => out.push(event));
  events.forEach(sequencer.push);
  if (closes) sequencer.close();
  return out;
}

it('lets the open block through at once and the others in the order they appeared', () => {
  const interleaved = [start(0), start(2), delta(2, 'c'), start(1), delta(0, 'a'), end(2), delta(1, 'b'), end(0), delta(1, 'bb'), end(1)];
  expect(run(interleaved.slice(0, 5))).toEqual([start(0), delta(0, 'a')]);
  expect(run(interleaved)).toEqual([
    start(0),
    delta(0, 'a'),
    end(0),
    start(2),
    delta(2, 'c'),
    end(2),
    start(1),
    delta(1, 'b'),
    delta(1, 'bb'),
    end(1),
  ]);
});

it('goes on live with a waiting block that has not ended', () => {
  expect(run([start(0), start(1), delta(1, 'x'), end(0), delta(1, 'y')])).toEqual([
    start(0),
    end(0),
    start(1),
    delta(1, 'x'),
    delta(1, 'y'),
  ]);
});

it('ends what was left open', () => {
  expect(run([start(0), start(1), delta(1, 'x')], true)).toEqual([start(0), end(0), start(1), delta(1, 'x'), end(1)]);
});

it('leaves out events of blocks that never started or are over', () => {
  expect(run([delta(7, 'x'), start(0), delta(3, 'x'), end(0), delta(0, 'late')], true)).toEqual([start(0), end(0)]);
});
