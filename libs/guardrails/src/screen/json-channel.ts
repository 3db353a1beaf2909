import { createTextWindow, type TextWindow } from '../text/text-window';
import type { Channel, ChannelEdit } from './channel-port';
import type { Screen } from './screen';

/** A stretch of JSON text between two quotes, as what it says, with the place of each character. */
type Stretch = {
  readonly isString: boolean;
  readonly window: TextWindow;
  /** Where character `offset + index` stands; the last entry is where the next one will. */
  places: number[];
  offset: number;
  waiting: string;
};

function openStretch(isString: boolean, place: number, screen: Screen): Stretch {
  return { isString, window: createTextWindow(screen.watches, screen.checks), places: [place], offset: 0, waiting: '' };
}

/** A number outside of quotes becomes a string when it is masked. */
const BEFORE_VALUE = /[:,[]\s{0,15}$/;
const LOOK_BACK = 16;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Looks at what strings say, not at how they are spelled, and never across a quote. */
export function createJsonChannel(screen: Screen): Channel {
  let place = 0;
  let stretch = openStretch(false, 0, screen);
  /** An escape sequence that is not complete. */
  let escape = '';
  let edits: ChannelEdit[] = [];

  const flush = (): void => {
    const { window, waiting } = stretch;
    if (waiting !== '') window.push(waiting);
    stretch.waiting = '';
    edits.push(...collectEdits(stretch, screen));
    const known = window.settled() - stretch.offset;
    if (known <= 0) return;
    stretch.places = stretch.places.slice(known);
    stretch.offset += known;
  };

  const close = (isString: boolean): void => {
    flushAll();
    place += 1;
    stretch = openStretch(!isString, place, screen);
  };

  const flushAll = (): void => {
    if (stretch.waiting !== '') stretch.window.push(stretch.waiting);
    stretch.waiting = '';
    edits.push(...collectEdits(stretch, screen));
    stretch.window.end();
    edits.push(...collectEdits(stretch, screen));
  };

  const append = (character: string, length: number): void => {
    stretch.waiting += character;
    place += length;
    stretch.places.push(place);
  };

  const readEscape = (character: string): void => {
    escape += character;
    const isUnicode = escape[1] === 'u';
    if (escape.length < (isUnicode ? 6 : 2)) return;
    const meant = isUnicode ? String.fromCharCode(parseInt(escape.slice(2), 16) || 0xfffd) : (ESCAPES[escape[1] ?? ''] ?? escape[1] ?? '');
    append(meant, escape.length);
    escape = '';
  };

  const readCharacter = (character: string): void => {
    if (escape !== '') return readEscape(character);
    if (character === '"') return close(stretch.isString);
    if (stretch.isString && character === '\\') {
      escape = character;
      return;
    }
    append(character, 1);
  };

  return {
    push: (piece) => {
      for (let index = 0; index < piece.length; index += 1) readCharacter(piece[index] ?? '');
      flush();
    },
    end: flushAll,
    settled: () => placeAt(stretch.places, stretch.window.settled() - stretch.offset),
    takeEdits: () => {
      const taken = edits;
      edits = [];
      return taken;
    },
  };
}

function collectEdits({ isString, window, places, offset }: Stretch, screen: Screen): ChannelEdit[] {
  return window.takeFindings().flatMap((finding) => {
    const { start, end } = finding;
    const replacement = screen.judge(finding, window.read(start, end));
    if (replacement === undefined) return [];
    const isBareValue = !isString && BEFORE_VALUE.test(window.read(start - LOOK_BACK, start));
    const text = isBareValue ? JSON.stringify(replacement.text) : escapeJson(replacement.text);
    return [{ ...replacement, text, start: placeAt(places, start - offset), end: placeAt(places, end - offset) }];
  });
}

function placeAt(places: readonly number[], index: number): number {
  return places[index] ?? places.at(-1) ?? 0;
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
