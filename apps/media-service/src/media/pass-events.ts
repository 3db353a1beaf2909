import { describeCut } from '@weir/exchange';
import type { MediaConsumer } from './stream-media-attempt';

type EventDecoder<Event> = { push(chunk: Uint8Array): readonly Event[]; end(): readonly Event[] };

/** The part of a consumer that passes events on, each in the words of `encode`. The one that ends them settles; without it they were cut. */
export function passEvents<Event>(
  decoder: EventDecoder<Event>,
  encode: (event: Event) => string,
  isSettled: () => boolean,
): Omit<MediaConsumer, 'fail' | 'abandon' | 'reported'> {
  let isUnderWay = false;
  const encodeAll = (events: readonly Event[]): string => {
    isUnderWay ||= events.length > 0;
    let encoded = '';
    // Nothing after the event that ends them is part of the reply.
    for (const event of events) if (!isSettled()) encoded += encode(event);
    return encoded;
  };
  return {
    isUnderWay: () => isUnderWay,
    push: (chunk) => encodeAll(decoder.push(chunk)),
    end: () => {
      const last = encodeAll(decoder.end());
      if (!isSettled()) throw describeCut();
      return last;
    },
    isSettled,
    isComplete: isSettled,
    isOver: isSettled,
  };
}
