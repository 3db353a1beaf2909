type Attempt = {
  readonly number: number;
  readonly started_at: string | null;
  readonly ended_at: string;
  readonly milliseconds: number;
  readonly first_byte_milliseconds: number | null;
};

/** Where an attempt stands in the time of its request; all are milliseconds since the admission. */
export type AttemptSpan = {
  readonly number: number;
  readonly startMs: number;
  /** Null where no byte came. */
  readonly firstByteMs: number | null;
  readonly endMs: number;
  /** A crash ended it: nothing says when it began. */
  readonly isStartUnknown: boolean;
};

export type Waterfall = { readonly totalMs: number; readonly spans: readonly AttemptSpan[]; readonly ticks: readonly number[] };

const TICKS = 4;

/** Edge and worker have clocks of their own: what seems to begin before its admission is drawn at it. */
export function layOutWaterfall(admittedAt: string, attempts: readonly Attempt[]): Waterfall {
  const admitted = Date.parse(admittedAt);
  const spans = attempts.map((attempt) => toSpan(attempt, admitted));
  const totalMs = Math.max(1, ...spans.map(({ endMs }) => endMs));
  return { totalMs, spans, ticks: listTicks(totalMs) };
}

function toSpan({ number, started_at: startedAt, ended_at: endedAt, ...attempt }: Attempt, admitted: number): AttemptSpan {
  const endMs = Math.max(0, Date.parse(endedAt) - admitted);
  const startMs = startedAt === null ? endMs : Math.min(endMs, Math.max(0, Date.parse(startedAt) - admitted));
  const { first_byte_milliseconds: firstByte } = attempt;
  const firstByteMs = firstByte === null || startedAt === null ? null : Math.min(endMs, startMs + firstByte);
  return { number, startMs, firstByteMs, endMs, isStartUnknown: startedAt === null };
}

/** Round moments of 1, 2 or 5 times a power of ten. */
function listTicks(totalMs: number): number[] {
  const rough = totalMs / TICKS;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough) ?? power;
  return Array.from({ length: Math.floor(totalMs / step) + 1 }, (_, index) => index * step);
}
