/** Why the model stopped, in our words. */
export type UnifiedFinish = 'stop' | 'stop-sequence' | 'length' | 'context-full' | 'tool-calls' | 'content-filter' | 'pause' | 'error';

export type FinishReason = {
  readonly unified: UnifiedFinish;
  /** The provider's own word. */
  readonly upstream: string | null;
  /** The provider's word means something that none of ours does: `unified` is the nearest. */
  readonly isNearest?: true;
  /** What the provider reports as the stop sequence that was produced. Beside `stop` it may be a word of the server's own. */
  readonly stopSequence?: string;
  /** Why the model refused, when the provider says. */
  readonly explanation?: string;
};
