import type { Reply } from './conversation';

const READ_MAX = 600;

/** A reply that has ended, to be read aloud. */
export function describeReply({ model, state, text, calls, failure }: Reply): string {
  if (state === 'refused' || (state === 'broken' && text === '')) return `${model}: ${failure?.message ?? 'no reply'}`;
  const shown = text.length > READ_MAX ? `${text.slice(0, READ_MAX)}… The rest is in the conversation.` : text;
  const parts = [shown, ...calls.map(({ name }) => `Calls ${name}.`), describeEnd(state, failure?.message)];
  return `${model} replied: ${parts.filter((part) => part !== '').join(' ')}`;
}

function describeEnd(state: Reply['state'], message = ''): string {
  if (state === 'stopped') return 'Stopped.';
  return state === 'broken' ? `Broken off: ${message}` : '';
}
