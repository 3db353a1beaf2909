import type { UsageEvent } from '@weir/contracts';
import { isAlike } from './dimensions';

/** Events of a batch that are counted alike are found by comparing them, which costs a fraction of working out their series. */
type Likes<Row> = {
  /** Where an event with the same dimensions and hour was added; undefined when none is known. */
  find(event: UsageEvent, hourMs: number): Row | undefined;
  note(event: UsageEvent, row: Row): void;
};

type Like<Row> = { readonly event: UsageEvent; readonly row: Row };

/** Of one key. With more series than this, looking for one costs as much as working it out. */
const LIKES_MAX = 16;

/** For one batch: what is decided about its series does not change meanwhile. */
export function createLikes<Row extends { readonly periodStartMs: number }>(): Likes<Row> {
  const byKey = new Map<string, Like<Row>[]>();
  return {
    find: (event, hourMs) => {
      const likes = byKey.get(event.api_key_id);
      if (likes === undefined) return undefined;
      for (const like of likes) if (like.row.periodStartMs === hourMs && isAlike(like.event, event)) return like.row;
      return undefined;
    },
    note: (event, row) => {
      const likes = byKey.get(event.api_key_id);
      if (likes === undefined) byKey.set(event.api_key_id, [{ event, row }]);
      else if (likes.length < LIKES_MAX) likes.push({ event, row });
    },
  };
}
