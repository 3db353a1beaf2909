import { differenceOf, ratioOf, spreadOf, type Spread } from './arithmetic';
import type { Read, Row } from './rows';
import type { Sample, TargetName, Values } from './samples';

/** One line of the table. Null is what was not measured, or cannot be on this system. */
export type Judgement = {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly judged: Row['judged'];
  readonly target: Row['target'];
  /** As measured. */
  readonly relay: Spread | null;
  readonly before: Spread | null;
  readonly now: Spread | null;
  /** As compared, round by round: what the target is about. */
  readonly comparedBefore: Spread | null;
  readonly comparedNow: Spread | null;
  readonly isMet: boolean | null;
};

/**
 * Rounds are compared one by one, since the machine is in one state within a round; the table shows the median of them.
 * Round 0 warmed up.
 */
export function judgeRows(rows: readonly Row[], samples: readonly Sample[]): Judgement[] {
  const table = createTable(samples.filter(({ round }) => round > 0));
  return rows.map((row) => judgeRow(row, table));
}

type Table = {
  readonly rounds: readonly number[];
  readonly readOf: (target: TargetName, round: number) => Read;
};

function createTable(samples: readonly Sample[]): Table {
  const values = new Map(samples.map((sample) => [nameOf(sample), sample.values]));
  return {
    rounds: [...new Set(samples.map(({ round }) => round))].sort((a, b) => a - b),
    readOf: (target, round) => (load, value) => readValue(values.get(nameOf({ load, target, round })), value),
  };
}

function nameOf({ load, target, round }: Pick<Sample, 'load' | 'target' | 'round'>): string {
  return `${load}/${target}/${round}`;
}

function readValue(values: Values | undefined, value: keyof Values): number | null {
  return values?.[value] ?? null;
}

function judgeRow(row: Row, table: Table): Judgement {
  const { name, title, unit, judged, target } = row;
  const perRound = table.rounds.map((round) => compareRound(row, (of) => table.readOf(of, round)));
  const spread = (pick: (round: Compared) => number | null): Spread | null =>
    spreadOf(perRound.map(pick).filter((value): value is number => value !== null && Number.isFinite(value)));
  const comparedNow = spread((round) => round.comparedNow);
  return {
    ...{ name, title, unit, judged, target },
    relay: judged === 'gain' ? null : spread((round) => round.relay),
    before: spread((round) => round.before),
    now: spread((round) => round.now),
    comparedBefore: judged === 'gain' ? null : spread((round) => round.comparedBefore),
    comparedNow,
    isMet: comparedNow === null ? null : isWithin(comparedNow.median, target),
  };
}

type Compared = Record<'relay' | 'before' | 'now' | 'comparedBefore' | 'comparedNow', number | null>;

function compareRound(row: Row, readOf: (target: TargetName) => Read): Compared {
  const now = row.read(readOf('now'));
  const relay = row.read(readOf('relay'));
  // Where no other checkout is measured, the gain is over this one's own single process.
  const before = row.readBase === undefined ? row.read(readOf('before')) : (row.readBase(readOf('before')) ?? row.readBase(readOf('now')));
  const compare = (value: number | null): number | null => compareValue(row.judged, value, row.judged === 'gain' ? before : relay);
  return { relay, before, now, comparedBefore: compare(before), comparedNow: compare(now) };
}

function compareValue(judged: Row['judged'], value: number | null, base: number | null): number | null {
  switch (judged) {
    case 'ratio':
    case 'gain':
      return ratioOf(value, base);
    case 'over':
      return differenceOf(value, base);
    case 'value':
      return value;
  }
}

export function isWithin(value: number, target: Row['target']): boolean {
  return 'most' in target ? value <= target.most : value >= target.least;
}
