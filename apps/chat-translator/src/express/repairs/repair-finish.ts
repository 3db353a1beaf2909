import { decodeFinish } from '@weir/providers';
import { encodeChatFinish } from '@weir/wire-formats';

/** What a choice called: a reason to stop depends on it. */
export type Calls = { readonly hasTools: boolean; readonly hasFunction: boolean };

/** The nearest of the published reasons; null as long as there is none. */
export function repairFinish(word: unknown, calls: Calls): string | null {
  if (typeof word !== 'string' || word === '') return null;
  return lastFinish(word, calls);
}

/** The same at the end of a reply, where there has to be a reason. */
export function lastFinish(word: unknown, { hasTools, hasFunction }: Calls): string {
  if (word === 'function_call') return word;
  return encodeChatFinish(decodeFinish(word, hasTools || hasFunction), hasFunction && !hasTools);
}
