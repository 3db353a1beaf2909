import type { MediaFile } from './media-file';
import type { MediaUsage } from './media-usage';

export const TRANSCRIPT_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** A recording to be written down, in its own language or in English. */
export type TranscriptionRequest = {
  readonly model: string;
  readonly file: MediaFile;
  readonly task: 'transcribe' | 'translate';
  /** ISO 639-1. */
  readonly language?: string;
  readonly prompt?: string;
  readonly format: TranscriptFormat;
  readonly temperature?: number;
  readonly timestampGranularities: readonly ('word' | 'segment')[];
  /** Of `logprobs`. */
  readonly include: readonly string[];
  /** `auto`, or what the caller says of voice detection, as it came. */
  readonly chunkingStrategy?: string | Readonly<Record<string, unknown>>;
  readonly knownSpeakers?: readonly { readonly name: string; /** A data URL of a sample. */ readonly reference?: string }[];
  readonly stream: boolean;
  /** Form fields that this language has no word for, in order; repeated names are kept. */
  readonly unmapped?: readonly { readonly name: string; readonly value: string }[];
};

/** A stretch of the recording; times are seconds from its start. */
export type TranscriptSegment = {
  readonly id: string | number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly speaker?: string;
  /** Members of the provider's own object that this language has no word for: `avg_logprob`, `tokens`, … */
  readonly unmapped?: Readonly<Record<string, unknown>>;
};

export type TranscriptWord = { readonly word: string; readonly start: number; readonly end: number; readonly speaker?: string };

export type TranscriptionReply = {
  readonly text: string;
  readonly language?: string;
  readonly durationSeconds?: number;
  readonly segments?: readonly TranscriptSegment[];
  readonly words?: readonly TranscriptWord[];
  /** As the provider gives them. */
  readonly logprobs?: unknown;
  /** Null when the provider reported none. */
  readonly usage: MediaUsage | null;
  /** The provider's own body where it is `text`, `srt` or `vtt` as asked for: it goes on as it is. */
  readonly rendered?: string;
  readonly unmapped?: Readonly<Record<string, unknown>>;
};

export type TranscriptionEvent =
  | { readonly type: 'delta'; readonly text: string; readonly segmentId?: string; readonly logprobs?: unknown }
  | { readonly type: 'segment'; readonly segment: TranscriptSegment }
  | {
      readonly type: 'done';
      readonly text: string;
      readonly usage: MediaUsage | null;
      readonly logprobs?: unknown;
      readonly unmapped?: Readonly<Record<string, unknown>>;
    };

export type TranscriptionStreamDecoder = {
  /** Synchronous; any split of the bytes gives the same events. Throws the provider's error. */
  push(bytes: Uint8Array): TranscriptionEvent[];
  /** The connection ended in order. */
  end(): TranscriptionEvent[];
};
