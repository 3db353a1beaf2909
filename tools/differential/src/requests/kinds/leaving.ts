import { say } from '../../upstream/replies';
import type { Kind } from '../request';
import { ask, nameOf, streamed, WAYS } from './bodies';

/** Callers that leave in the middle of a stream, or before a whole reply: the provider waits until they are gone. */
export const LEAVING_KINDS: readonly Kind[] = WAYS.slice(0, 8).flatMap((way): Kind[] => [
  {
    id: `leaves:stream:${nameOf(way)}`,
    weight: 0.5,
    make: ({ mark, count }) => [
      ask(way[0], way[1], mark, { more: streamed(way[0], count % 2 === 0), leavesAfter: 2, replies: [say(undefined, { waitAfter: 6 })] }),
    ],
  },
  {
    id: `leaves:whole:${nameOf(way)}`,
    weight: 0.3,
    make: ({ mark }) => [ask(way[0], way[1], mark, { leavesAfter: 0, replies: [say(undefined, { waitAfter: 0 })] })],
  },
]);
