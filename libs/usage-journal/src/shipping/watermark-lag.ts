/** How old the oldest event is that is not known to be aggregated, to within the pace at which it is asked. */
type WatermarkLag = {
  /** Notes that `nextSequence` was reached, and returns the lag in milliseconds; 0 when everything is aggregated. */
  measure(nextSequence: number, aggregatedBelow: number): number;
};

type Mark = { readonly nextSequence: number; readonly at: number };

/** An hour of outage at one look a second; beyond it every other mark is forgotten, which makes the lag coarser. */
const MARKS_MAX = 3_600;

export function createWatermarkLag(now: () => number): WatermarkLag {
  let marks: Mark[] = [];
  let seen = 0;
  return {
    measure: (nextSequence, aggregatedBelow) => {
      const at = now();
      if (nextSequence > seen) marks.push({ nextSequence, at });
      seen = nextSequence;
      const done = marks.findIndex((mark) => mark.nextSequence > aggregatedBelow);
      marks = done === -1 ? [] : marks.slice(done);
      if (marks.length > MARKS_MAX) marks = marks.filter((_, index) => index % 2 === 0 || index === marks.length - 1);
      const oldest = marks[0];
      return oldest === undefined ? 0 : at - oldest.at;
    },
  };
}
