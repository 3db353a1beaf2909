import type { MediaUsage } from './media-usage';

export const SPEECH_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;
/** `pcm` is 24 kHz, 16-bit signed little-endian, mono. */
export type SpeechFormat = (typeof SPEECH_FORMATS)[number];

/** Text to be spoken. */
export type SpeechRequest = {
  readonly model: string;
  readonly input: string;
  readonly voice: string;
  /** The voice is one of the account's own, named by its id. */
  readonly isVoiceId?: boolean;
  readonly instructions?: string;
  readonly format: SpeechFormat;
  /** The caller has named no format: another one will do where the provider does not have this. */
  readonly isFormatOpen?: boolean;
  /** 0.25 to 4; 1 is natural. */
  readonly speed: number;
  readonly streamFormat: 'audio' | 'sse';
  /** Fields that this language has no word for, by name. */
  readonly unmapped?: Readonly<Record<string, unknown>>;
};

export type SpeechEvent = { readonly type: 'audio'; readonly bytes: Uint8Array } | { readonly type: 'usage'; readonly usage: MediaUsage };

export type SpeechDecoder = {
  /** Usage may come with this reply, at its end: until then its cost is an estimate. */
  readonly reportsUsage: boolean;
  /** Synchronous. Throws `provider_unreadable`, or what the provider says in the middle of its audio. */
  push(bytes: Uint8Array): SpeechEvent[];
  /** The connection ended in order. */
  end(): SpeechEvent[];
};
