import type { ContentBlock } from './content';
import type { FinishReason } from './finish-reason';
import type { Usage } from './usage';

export type ChatChoice = {
  readonly index: number;
  /** In the order the model produced them. */
  readonly content: readonly ContentBlock[];
  readonly finish: FinishReason;
  /** In the chat-completions shape. */
  readonly logprobs?: unknown;
};

export type ChatReply = {
  /** The provider's id of the reply. */
  readonly id: string;
  /** The model that answered, in the provider's words. */
  readonly model: string;
  readonly createdAtSeconds: number;
  readonly choices: readonly ChatChoice[];
  /** Null when the provider reported none. */
  readonly usage: Usage | null;
  readonly serviceTier?: string;
  readonly systemFingerprint?: string;
};
