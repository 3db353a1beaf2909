import { createLossReport, type ChatTurn } from '@weir/canonical';
import { letSomebodyAsk } from './let-somebody-ask';

const say = (role: ChatTurn['role'], text: string): ChatTurn => ({ role, content: [{ type: 'text', text }] });

it('asks the last instruction where no one asks anything', () => {
  const losses = createLossReport();

  expect(letSomebodyAsk([say('system', 'a'), say('developer', 'b')], losses)).toEqual([say('system', 'a'), say('user', 'b')]);
  expect([...losses.approximated]).toEqual(['messages.system']);
});

it.each([[[]], [[say('system', 'a'), say('user', 'b')]], [[say('user', 'b'), say('system', 'a')]]])(
  'leaves %j as it is',
  (turns: ChatTurn[]) => {
    const losses = createLossReport();

    expect(letSomebodyAsk(turns, losses)).toBe(turns);
    expect(losses.approximated.size).toBe(0);
  },
);
