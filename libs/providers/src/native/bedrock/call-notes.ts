import type { ProviderTarget } from '../../provider/target';

/** What has to be known of a request when its reply is decoded. */
export type CallNotes = {
  /** Free-form tools that were offered as functions. */
  readonly customTools: ReadonlySet<string>;
  /** The answer was asked for as the input of a tool. */
  readonly hasAnswerTool: boolean;
};

const NO_NOTES: CallNotes = { customTools: new Set(), hasAnswerTool: false };

type CallMemory = { remember(target: ProviderTarget, notes: CallNotes): void; find(target: ProviderTarget): CallNotes };

/** Notes by the call's target, which both the encoder and the decoder of one call hold. */
export function createCallMemory(): CallMemory {
  const kept = new WeakMap<ProviderTarget, CallNotes>();
  return {
    remember: (target, notes) => void kept.set(target, notes),
    find: (target) => kept.get(target) ?? NO_NOTES,
  };
}

/** The tool whose input is the answer, for models that can be held to a schema in no other way. */
export const ANSWER_TOOL = 'json_output';
