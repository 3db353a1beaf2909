import type { ChatStreamDecoder } from '../chat-provider';
import type { EventLog } from './create-event-log';
import { createSseReader, type SseFrame } from './sse-frames';

/** What a dialect does with the data of one frame, and with the end of the connection. */
export type FrameTaker = {
  take(data: string): void;
  /** The connection ended in order before the log was closed. */
  end(): void;
};

/** A decoder of server-sent events: nothing is taken once the log is closed. */
export function createFrameDecoder(log: EventLog, taker: FrameTaker): ChatStreamDecoder {
  const reader = createSseReader();

  function takeAll(frames: readonly SseFrame[]): void {
    for (const frame of frames) {
      if (log.isClosed()) return;
      if (frame.data !== '') taker.take(frame.data);
    }
  }

  return {
    push(bytes) {
      takeAll(reader.push(bytes));
      return log.take();
    },
    end() {
      takeAll(reader.end());
      if (!log.isClosed()) taker.end();
      return log.take();
    },
  };
}
