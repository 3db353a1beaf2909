import type { Modality } from '@weir/contracts';

/** One of the gateway's accounts at a provider, as far as routing has to know it. */
export type RoutedAccount = {
  readonly id: string;
  /** Its share of the requests, beside those of the others; 0: only when the others fail. */
  readonly weight: number;
  /** The area that its content stays in; null: where the model's host is. */
  readonly region: string | null;
  readonly modalities: readonly Modality[];
  readonly serves: (modelId: string) => boolean;
};

/** The gateway's accounts at providers, where they are more than one key; they may change while the process runs. */
export type AccountMap = {
  /** Empty for a provider with one key and nothing to choose. */
  of(providerId: string): readonly RoutedAccount[];
  /** Another object after each change. */
  version(): object;
};
