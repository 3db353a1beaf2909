/** What one key used of one model on one day, under the labels of that time: what every report of finance is made of. */
export type ChargeLine = {
  /** UTC, `2026-10-03`. */
  readonly day: string;
  readonly apiKeyId: string;
  readonly memberId: string | null;
  readonly groupId: string | null;
  readonly keyLabels: Readonly<Record<string, string>>;
  readonly groupLabels: Readonly<Record<string, string>>;
  readonly modelUsed: string;
  readonly providerUsed: string;
  readonly modality: string;
  readonly isByok: boolean;
  readonly requests: bigint;
  readonly attempts: bigint;
  /** What it is worth, in pico-dollars. */
  readonly costPico: bigint;
  /** What is owed for it, in pico-dollars: nothing under an own account with the provider. */
  readonly billedPico: bigint;
};
