import type { MediaFile } from './media-file';
import type { MediaUsage } from './media-usage';

export type ImageFormat = 'png' | 'jpeg' | 'webp';

/** Pictures to be made from words, or from words and pictures. */
export type ImageRequest = {
  readonly model: string;
  readonly prompt: string;
  /** How many; at least one. */
  readonly count: number;
  /** `auto` or `<width>x<height>`. */
  readonly size?: string;
  readonly quality?: string;
  readonly background?: 'transparent' | 'opaque' | 'auto';
  readonly outputFormat?: ImageFormat;
  /** 0 to 100. */
  readonly outputCompression?: number;
  readonly moderation?: string;
  readonly style?: string;
  readonly inputFidelity?: 'high' | 'low';
  readonly responseFormat?: 'url' | 'b64_json';
  readonly stream: boolean;
  /** How many unfinished pictures to show on the way; 0 to 3. */
  readonly partialImages?: number;
  readonly endUserId?: string;
  /** Pictures to be edited; none: a picture is made from the prompt alone. */
  readonly images: readonly MediaFile[];
  /** A PNG whose transparent pixels mark what to change. */
  readonly mask?: MediaFile;
  /** Fields that this language has no word for, by name. */
  readonly unmapped?: Readonly<Record<string, unknown>>;
};

/** One picture: its bytes as base64, or where it can be fetched. */
export type MadeImage = {
  readonly base64?: string;
  readonly url?: string;
  readonly mediaType?: string;
  readonly revisedPrompt?: string;
  /** Members of the provider's own object that this language has no word for. */
  readonly unmapped?: Readonly<Record<string, unknown>>;
};

/** What the provider says the pictures became. */
export type ImageFacts = {
  readonly background?: string;
  readonly outputFormat?: string;
  readonly size?: string;
  readonly quality?: string;
};

export type ImageReply = {
  /** Unix seconds; null when the provider reported none. */
  readonly created: number | null;
  readonly images: readonly MadeImage[];
  /** Null when the provider reported none. */
  readonly usage: MediaUsage | null;
  readonly facts: ImageFacts;
  readonly unmapped?: Readonly<Record<string, unknown>>;
};

export type ImageEvent =
  | {
      readonly type: 'partial';
      /** From 0, per picture. */
      readonly index: number;
      readonly base64: string;
      readonly created: number | null;
      readonly facts: ImageFacts;
    }
  | {
      readonly type: 'completed';
      readonly base64: string;
      readonly created: number | null;
      readonly facts: ImageFacts;
      readonly usage: MediaUsage | null;
    };

/** What an image stream gives: events and, where the provider breaks off with words of its own, an error to be thrown. */
export type ImageStreamDecoder = {
  /** Synchronous; any split of the bytes gives the same events. Throws the provider's error. */
  push(bytes: Uint8Array): ImageEvent[];
  /** The connection ended in order. */
  end(): ImageEvent[];
};
