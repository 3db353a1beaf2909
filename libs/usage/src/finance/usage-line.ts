/** One line of a finance file: what one series used in one period. Counts are decimal text, money integer pico-dollars. */
export type UsageLine = {
  readonly periodStartMs: number;
  readonly periodEndMs: number;
  readonly apiKeyId: string;
  /** Given once and for all; null for a key that was never here. */
  readonly apiKeyName: string | null;
  readonly memberId: string | null;
  /** Today's; null where there is none any more. */
  readonly memberEmail: string | null;
  readonly groupId: string | null;
  /** Today's; null where there is none any more. */
  readonly groupName: string | null;
  /** Named by the caller in the request. */
  readonly endUserId: string | null;
  readonly modelRequested: string;
  readonly modelUsed: string;
  readonly providerUsed: string;
  readonly isByok: boolean;
  readonly originTitle: string | null;
  readonly endpoint: string;
  readonly modality: string;
  /** Labels as of admission. */
  readonly apiKeyLabels: Readonly<Record<string, string>>;
  readonly groupLabels: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, string>>;
  readonly requests: string;
  readonly attempts: string;
  readonly errors: string;
  /** Neither read from nor written to a cache. */
  readonly inputTokens: string;
  readonly cachedTokens: string;
  readonly cacheWriteTokens: string;
  readonly outputTokens: string;
  readonly reasoningTokens: string;
  readonly searches: string;
  readonly images: string;
  readonly chars: string;
  readonly audioMs: string;
  readonly costPico: bigint;
  readonly billedPico: bigint;
};

/** What all lines of a file share. Equal files say equal things here, so a file can be compared byte by byte. */
export type UsageFile = {
  readonly organizationId: string;
  readonly organizationName: string;
  /** Half-open, UTC epoch milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  /** Grows whenever usage of the month changes; a later file of the same period with a higher one replaces this. */
  readonly revision: string;
  /** When that last happened; null when nothing was used. */
  readonly asOfMs: number | null;
  /** Whether the period is over; until then the file is what was used to date. */
  readonly isClosed: boolean;
};

/** What a spreadsheet or a data base takes a value for: without it, a text. A flag is `true` or `false`, and text in a spreadsheet. */
export type ColumnKind = 'count' | 'money' | 'time' | 'flag';

/** A column of a file; empty text is no value. */
export type UsageColumn<Line = UsageLine> = {
  readonly name: string;
  readonly kind?: ColumnKind;
  /** Whether it is today's, and changes without any usage. */
  readonly isName?: boolean;
  readonly value: (line: Line, file: UsageFile) => string;
};

/** JSON of a map in the order of its names: equal maps give equal text. */
export function encodeMap(map: Readonly<Record<string, string>>): string {
  const names = Object.keys(map).sort();
  return names.length === 0 ? '' : JSON.stringify(Object.fromEntries(names.map((name) => [name, map[name]])));
}

/** `open` while the period runs. */
export function encodeStatus({ isClosed }: UsageFile): string {
  return isClosed ? 'closed' : 'open';
}

export function encodeInstant(atMs: number | null): string {
  return atMs === null ? '' : new Date(atMs).toISOString();
}
