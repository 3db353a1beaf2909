import type { Usage } from '@weir/canonical';
import type { ChatStreamDecoder } from '../provider/provider';
import { hasFailure, toStreamFailure, unreadableStream } from '../failures/stream-failure';
import { asRecord, parseJson, type JsonRecord } from '../wire/json-value';
import type { EventLog } from './create-event-log';
import { PlainTexts, type PlainTextRules } from './plain-texts';
import { SseParser } from './sse-frames';

/** What a dialect does with the data of one frame, and with the end of the connection. */
type FrameTaker = {
  take(data: string): void;
  /** The connection ended in order before the log was closed. */
  end(): void;
  /** A reply in one piece came instead of a stream: keeps the usage that it reports. */
  learn(whole: JsonRecord): void;
  /** See `ChatStreamDecoder`. */
  reported(): Usage | null;
  /** Absent: every frame is taken. */
  readonly plain?: PlainTextRules;
};

/** Reports of failures are shorter. */
const BEGINNING_BYTES_MAX = 1024 * 1024;

/** A decoder of server-sent events: nothing is taken once the log is closed. */
export function createFrameDecoder(log: EventLog, taker: FrameTaker): ChatStreamDecoder {
  const texts = taker.plain === undefined ? undefined : new PlainTexts(taker.plain);
  /** What came before the first frame: all there is of an answer that is no stream. Null once there was a frame, or too much. */
  let beginning: Buffer[] | null = [];
  let beginningBytes = 0;

  function keepBeginning(bytes: Uint8Array): void {
    beginningBytes += bytes.length;
    if (beginningBytes > BEGINNING_BYTES_MAX) beginning = null;
    beginning?.push(Buffer.from(bytes));
  }

  function takeFrame(data: string): void {
    beginning = null;
    if (data === '' || log.isClosed()) return;
    const before = log.count();
    taker.take(data);
    texts?.learn(log.count() === before + 1 ? log.last() : undefined, rawFrame);
  }

  const parser = new SseParser({
    frame: takeFrame,
    take: (text, start) => (texts === undefined || log.isClosed() ? -1 : texts.take(text, start, log.add)),
  });
  const rawFrame = (): string | undefined => parser.rawFrame();

  return {
    push(bytes) {
      if (beginning !== null) keepBeginning(bytes);
      parser.push(bytes);
      return log.take();
    },
    end() {
      parser.end();
      if (beginning !== null) takeWhole(log, taker, Buffer.concat(beginning).toString('utf8'));
      if (!log.isClosed()) taker.end();
      return log.take();
    },
    reported: () => taker.reported(),
  };
}

/** A reply in one piece where a stream was asked for: most often it says why there is none. */
function takeWhole(log: EventLog, taker: FrameTaker, text: string): void {
  const parsed = parseJson(text);
  const body = asRecord(Array.isArray(parsed) ? parsed[0] : parsed);
  if (body === undefined) return;
  taker.learn(body);
  log.close(hasFailure(body) ? toStreamFailure(body) : unreadableStream());
}
