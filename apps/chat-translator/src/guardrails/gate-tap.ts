import type { ExpressTap } from '../frames/express-tap';
import type { StreamGate } from './stream-gate';

/** A tap behind a gate: it gets the frames that may pass and, once the stream is refused, all others, for the usage in them. */
export function gateTap(tap: ExpressTap, gate: StreamGate | undefined, encodeRefusal: () => string): ExpressTap {
  if (gate === undefined) return tap;
  let isRefused = false;

  const pass = (due: string): Buffer | string => {
    if (gate.refusal() === undefined) return due === '' ? '' : tap.push(Buffer.from(due));
    isRefused = true;
    tap.push(Buffer.from(due + gate.takeBuffered()));
    return gate.refuse(encodeRefusal);
  };

  const passOver = (frames: Buffer): string => {
    tap.push(frames);
    return '';
  };

  return {
    ...tap,
    push: (frames) => (isRefused ? passOver(frames) : pass(gate.pass(frames.toString('utf8')))),
    flush: () => (isRefused ? '' : pass(gate.flush()).toString()),
    end: () => {
      const last = tap.end();
      return isRefused ? '' : last;
    },
  };
}
