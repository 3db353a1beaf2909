import type { ChatDialect } from '@weir/contracts';
import { readJsonString } from '../json/walk-json';
import { readFrame } from './read-frame';
import { splitEvent } from './split-event';

/** What a stream says in all, text by text. An event that repeats a whole text adds nothing. */
export function listStreamTexts(frames: string, dialect: ChatDialect): string[] {
  const texts = new Map<string, string>();
  for (const raw of frames.split(/(?<=\r?\n\r?\n)/)) {
    const data = splitEvent(raw)?.data;
    if (data === undefined) continue;
    for (const { channel, start, end, isString } of readFrame(dialect, data).words) {
      if (channel !== undefined && isString) texts.set(channel, (texts.get(channel) ?? '') + readJsonString(data.slice(start, end)));
    }
  }
  return [...texts.values()].filter((text) => text !== '');
}
