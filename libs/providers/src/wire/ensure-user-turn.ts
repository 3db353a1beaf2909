import type { ChatTurn, LossReport } from '@weir/canonical';

/** Turns for providers that require a user turn: where there are only instructions, the last one becomes a user turn. */
export function ensureUserTurn(turns: readonly ChatTurn[], losses: LossReport): readonly ChatTurn[] {
  const last = turns.at(-1);
  if (last === undefined || !turns.every(({ role }) => role === 'system' || role === 'developer')) return turns;
  losses.approximated.add('messages.system');
  return [...turns.slice(0, -1), { role: 'user', content: last.content }];
}
