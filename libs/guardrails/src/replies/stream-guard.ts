import { applyEdits, type Edit } from '../text/apply-edits';
import { readJsonString } from '../json/walk-json';
import { dropLogprobs } from './drop-logprobs';
import { createFrameTexts, type FrameTexts, type Segment } from './frame-texts';
import { readFrame } from './read-frame';
import type { ReplyScreens } from './screen-reply';
import { splitEvent } from './split-event';

/**
 * A stream on its way through a screen, in whole server-sent events. An event is held back until no text to come can
 * change what becomes of its words; it then goes out with all its other bytes as they were.
 */
export type StreamGuard = {
  /** Takes whole events; returns those that may go out now. */
  push(frames: string): string;
  /** Every text that is open is over: returns the events that waited for that. */
  end(): string;
  /** Once something stopped the stream: the events that were held back, as they came. Not for the caller. */
  takeBuffered(): string;
};

type BufferedFrame = FrameTexts & {
  readonly head: string;
  readonly data: string;
  /** The event as it came. */
  readonly raw: string;
};

/** Beyond this, something is wrong: a text that is open for so long is not going to be closed. */
const BUFFERED_LENGTH_MAX = 16 * 1024 * 1024;

export function createStreamGuard(screens: ReplyScreens): StreamGuard {
  const reader = createFrameTexts(screens);
  let buffered: BufferedFrame[] = [];
  let bufferedLength = 0;

  const buffer = (raw: string): void => {
    const parts = splitEvent(raw);
    const reading = parts === undefined ? undefined : readFrame(screens.dialect, parts.data);
    const frame =
      parts === undefined || reading === undefined
        ? { head: '', data: '', raw, segments: [], edits: [], isMasked: false }
        : { ...parts, raw, ...reader.take(parts.data, reading.words) };
    buffered.push(frame);
    bufferedLength += raw.length;
    for (const prefix of reading?.ends ?? []) reader.end(prefix);
  };

  const release = (): string => {
    let count = 0;
    let released = '';
    if (screens.isStopped()) return '';
    while (count < buffered.length && isSettled(buffered[count] as BufferedFrame)) {
      released += writeFrame(buffered[count] as BufferedFrame);
      bufferedLength -= (buffered[count] as BufferedFrame).raw.length;
      count += 1;
    }
    if (count > 0) buffered = buffered.slice(count);
    if (bufferedLength > BUFFERED_LENGTH_MAX) throw new RangeError('more than 16 MiB of a stream would have to be buffered');
    return released;
  };

  return {
    push: (frames) => {
      for (const raw of frames.split(/(?<=\r?\n\r?\n)/)) if (raw !== '') buffer(raw);
      return release();
    },
    end: () => {
      reader.end('');
      return release();
    },
    takeBuffered: () => {
      const taken = buffered.map(({ raw }) => raw).join('');
      buffered = [];
      bufferedLength = 0;
      return taken;
    },
  };
}

function isSettled({ segments }: BufferedFrame): boolean {
  return segments.every(({ text, to }) => text.isOver || text.channel.settled() >= to);
}

function writeFrame({ head, data, raw, segments, edits, isMasked }: BufferedFrame): string {
  const written = segments.map((segment) => writeSegment(data, segment));
  const all = [...edits, ...written.flatMap(({ edit }) => edit ?? [])].sort((one, other) => one.start - other.start);
  if (all.length === 0) return raw;
  const text = applyEdits(data, all);
  const hasMask = isMasked || written.some((each) => each.isMasked);
  return `${head}data: ${hasMask ? dropLogprobs(text) : text}\n\n`;
}

function writeSegment(data: string, { text, from, to, words }: Segment): { edit: Edit | undefined; isMasked: boolean } {
  const concerned = text.edits.filter(({ start, end }) => start < to && end > from);
  text.edits = text.edits.filter(({ end }) => end > to);
  if (concerned.length === 0) return { edit: undefined, isMasked: false };
  const said = readJsonString(data.slice(words.start, words.end));
  // A replacement is written where its finding begins; the rest of it, in this event or later ones, is left out.
  const inside = concerned.map(({ start, end, text: reported }) => ({
    start: Math.max(0, start - from),
    end: Math.min(to, end) - from,
    text: start >= from ? reported : '',
  }));
  const edit = { start: words.start, end: words.end, text: JSON.stringify(applyEdits(said, inside)) };
  return { edit, isMasked: concerned.some(({ isMask }) => isMask) };
}
