import { decodeFinish } from '@weir/providers';
import { encodeChatFinish, nameNative } from '@weir/wire-formats';
import { isRecord } from './repair-rules';

/** What a choice called: a reason to stop depends on it. */
type Calls = { readonly hasTools: boolean; readonly hasFunction: boolean };

/** True for a choice that ended because its provider failed: no published reason means that. */
export function isFailedChoice(choice: unknown): boolean {
  const word = isRecord(choice) ? choice['finish_reason'] : undefined;
  return typeof word === 'string' && word !== 'stop' && decodeFinish(word, false).unified === 'error';
}

/** Replaces such a choice: the reply becomes an error. */
export const FAILED_CHOICE = { error: { message: 'The provider ended its answer with an error.', code: 502 } };

/** The nearest of the published reasons; null as long as there is none. */
export function repairFinish(word: unknown, calls: Calls): string | null {
  if (typeof word !== 'string' || word === '') return null;
  return lastFinish(word, calls);
}

/** The provider's own word, where no published reason means that. */
export function keepNative(word: unknown): { native_finish_reason?: string } {
  return typeof word === 'string' ? nameNative(decodeFinish(word, false)) : {};
}

/** The same at the end of a reply, where a reason is required. */
export function lastFinish(word: unknown, { hasTools, hasFunction }: Calls): string {
  if (word === 'function_call') return word;
  return encodeChatFinish(decodeFinish(word, hasTools || hasFunction), hasFunction && !hasTools);
}
