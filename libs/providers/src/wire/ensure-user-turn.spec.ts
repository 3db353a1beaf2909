import { createLossReport, type ChatTurn } from '@weir/canonical';
import { ensureUserTurn } from './ensure-user-turn';

const say = (role: ChatTurn['role'], text: string): ChatTurn => ({ role, content: [{ type: 'text', text }] });

it('makes the last instruction a user turn where there is none', () => {
  const losses = createLossReport();

  expect(ensureUserTurn([say('system', 'a'), say('developer', 'b')], losses)).toEqual([say('system', 'a'), say('user', 'b')]);
  expect([...losses.approximated]).toEqual(['messages.system']);
});

it.each([[[]], [[say('system', 'a'), say('user', 'b')]], [[say('user', 'b'), say('system', 'a')]]])(
  'leaves %j as it is',
  (turns: ChatTurn[]) => {
    const losses = createLossReport();

    expect(ensureUserTurn(turns, losses)).toBe(turns);
    expect(losses.approximated.size).toBe(0);
  },
);
