import type { FinishReason } from '@weir/canonical';
import type { ReplyContext } from '../dialect/wire-format';

const WORDS: Record<FinishReason['unified'], string> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'context-full': 'model_context_window_exceeded',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
  pause: 'pause_turn',
  error: 'end_turn',
};

/** `hasRefused`: the model declined in words, which other dialects do not call a stop reason. */
export function encodeStop(reported: FinishReason, hasRefused: boolean, context: ReplyContext): Record<string, unknown> {
  const finish = checkSequence(reported, context);
  const isRefusal = finish.unified === 'content-filter' || (hasRefused && finish.unified === 'stop');
  const stop = {
    stop_reason: isRefusal ? 'refusal' : WORDS[finish.unified],
    stop_sequence: finish.stopSequence ?? (finish.unified === 'stop-sequence' ? findOnlyStop(context) : null),
  };
  if (!isRefusal) return stop;
  return { ...stop, stop_details: { type: 'refusal', category: null, explanation: finish.explanation ?? null } };
}

/** Beside `stop` servers report a sequence, a token or a word of their own: only a sequence that was asked for is one. */
function checkSequence(finish: FinishReason, { asked }: ReplyContext): FinishReason {
  const { unified, stopSequence, ...rest } = finish;
  if (unified !== 'stop' || stopSequence === undefined) return finish;
  return asked.stop?.includes(stopSequence) === true ? { ...finish, unified: 'stop-sequence' } : { ...rest, unified };
}

/** For providers that do not report the sequence: where the caller gave just one, it is that one. */
function findOnlyStop({ asked }: ReplyContext): string | null {
  const [only, ...others] = asked.stop ?? [];
  return others.length === 0 ? (only ?? null) : null;
}
