import { OpenItems } from '@weir/collections';

/** A stream whose caller would give up if nothing came for too long. */
export type Beating = {
  /** Set with everything that is written. */
  hasWritten: boolean;
  /** Kept here alone. */
  silentSinceMs: number;
  beat(): void;
};

/** A silence is found so many times within its length. */
const LOOKS = 4;

/** One timer for all streams that are to beat after the same silence; it runs only while there is one. */
class Heartbeats {
  private readonly streams = new OpenItems<Beating>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly silenceMs: number) {}

  /** Returns what ends it. */
  start(stream: Beating): () => void {
    this.timer ??= setInterval(() => this.look(), this.silenceMs / LOOKS);
    const place = this.streams.add(stream);
    return () => {
      this.streams.remove(place);
      if (this.streams.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  private look(): void {
    const nowMs = performance.now();
    for (const stream of this.streams) {
      if (stream.hasWritten) {
        stream.hasWritten = false;
        stream.silentSinceMs = nowMs;
      } else if (nowMs - stream.silentSinceMs >= this.silenceMs) {
        stream.silentSinceMs = nowMs;
        stream.beat();
      }
    }
  }
}

const bySilence = new Map<number, Heartbeats>();

/** The heartbeats of a process for streams that may be silent for so long. */
export function findHeartbeats(silenceMs: number): Pick<Heartbeats, 'start'> {
  let heartbeats = bySilence.get(silenceMs);
  if (heartbeats === undefined) bySilence.set(silenceMs, (heartbeats = new Heartbeats(silenceMs)));
  return heartbeats;
}
