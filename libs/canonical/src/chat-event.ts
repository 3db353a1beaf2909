import type { Citation, MediaSource, OpaqueBlock, OpaqueState, WebSearchResult } from './content';
import type { FinishReason } from './finish-reason';
import type { Usage } from './usage';

/**
 * One event of a streamed reply. The grammar decoders keep and encoders rely on:
 *
 *     start (block-start block-delta* block-end)* finish+ usage? end
 *
 * `block` numbers the blocks of the whole reply from 0 by first appearance. Deltas of different blocks may interleave
 * (some providers do that), but a block always starts before its deltas and ends before `finish` of its choice.
 * `choice` is the index of the alternative (0 unless the caller asked for several).
 */
export type ChatEvent =
  | {
      readonly type: 'start';
      readonly id: string;
      readonly model: string;
      readonly createdAtSeconds: number;
      /** What is known of the prompt's usage already. */
      readonly usage?: Usage;
      readonly serviceTier?: string;
      readonly systemFingerprint?: string;
    }
  | { readonly type: 'text-start'; readonly choice: number; readonly block: number }
  | { readonly type: 'text-delta'; readonly choice: number; readonly block: number; readonly text: string; readonly logprobs?: unknown }
  | { readonly type: 'citation'; readonly choice: number; readonly block: number; readonly citation: Citation }
  | { readonly type: 'text-end'; readonly choice: number; readonly block: number }
  | { readonly type: 'refusal-start'; readonly choice: number; readonly block: number }
  | { readonly type: 'refusal-delta'; readonly choice: number; readonly block: number; readonly text: string }
  | { readonly type: 'refusal-end'; readonly choice: number; readonly block: number }
  | { readonly type: 'reasoning-start'; readonly choice: number; readonly block: number; readonly isSummary?: boolean }
  | { readonly type: 'reasoning-delta'; readonly choice: number; readonly block: number; readonly text: string }
  /** The whole state of the block, once. */
  | { readonly type: 'reasoning-state'; readonly choice: number; readonly block: number; readonly state: OpaqueState }
  | { readonly type: 'reasoning-end'; readonly choice: number; readonly block: number }
  | {
      readonly type: 'tool-call-start';
      readonly choice: number;
      readonly block: number;
      readonly id: string;
      readonly name: string;
      readonly kind: 'function' | 'custom';
      readonly state?: OpaqueState;
    }
  | { readonly type: 'tool-call-delta'; readonly choice: number; readonly block: number; readonly argumentsText: string }
  | { readonly type: 'tool-call-end'; readonly choice: number; readonly block: number }
  | { readonly type: 'web-search-start'; readonly choice: number; readonly block: number; readonly id: string; readonly query: string }
  | {
      readonly type: 'web-search-end';
      readonly choice: number;
      readonly block: number;
      readonly query: string;
      readonly results: readonly WebSearchResult[];
      readonly errorCode?: string;
    }
  /** A whole picture that the model made. */
  | { readonly type: 'image'; readonly choice: number; readonly block: number; readonly source: MediaSource }
  | { readonly type: 'opaque'; readonly choice: number; readonly block: number; readonly content: OpaqueBlock }
  | { readonly type: 'finish'; readonly choice: number; readonly finish: FinishReason }
  /** The final usage, once; comes after every `finish`. */
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The provider ended the stream in order. A stream without it was cut. */
  | { readonly type: 'end' }
  /** The provider reported a failure in mid-stream; nothing follows. */
  | {
      readonly type: 'error';
      readonly code: string;
      readonly message: string;
      readonly status: number | null;
      /** The provider's own word for it. */
      readonly providerCode?: string;
      /** Tokens, where they are too many: as many as were sent, as many as the model takes. */
      readonly context?: { readonly sent?: number; readonly most?: number };
    };
