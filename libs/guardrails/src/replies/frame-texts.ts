import type { Edit } from '../text/apply-edits';
import { readJsonString } from '../json/walk-json';
import { createChannel, type Channel, type ChannelEdit } from '../screen/channel';
import { screenText } from '../screen/screen-text';
import type { FrameWords } from './read-frame';
import type { ReplyScreens } from './screen-reply';

/** A text that goes on over several events. */
type OpenText = { readonly channel: Channel; length: number; isOver: boolean; edits: ChannelEdit[] };
/** The part of it in one event. */
export type Segment = { readonly text: OpenText; readonly from: number; readonly to: number; readonly words: FrameWords };
/** What one event says. */
export type FrameTexts = {
  readonly segments: readonly Segment[];
  /** Of texts that are whole in this event. */
  readonly edits: readonly Edit[];
  readonly isMasked: boolean;
};

type FrameTextReader = {
  take(data: string, words: readonly FrameWords[]): FrameTexts;
  /** Texts whose names begin like this are over. */
  end(prefix: string): void;
};

/** Puts the texts of a stream together from its events and sends them through a screen. */
export function createFrameTexts(screens: ReplyScreens): FrameTextReader {
  const texts = new Map<string, OpenText>();

  const take = (data: string, words: readonly FrameWords[]): FrameTexts => {
    const segments: Segment[] = [];
    const edits: Edit[] = [];
    let isMasked = false;
    for (const word of words) {
      const literal = data.slice(word.start, word.end);
      const said = word.isString ? readJsonString(literal) : literal;
      if (word.channel !== undefined) {
        segments.push(pushText(word.channel, said, word));
      } else if (said !== '') {
        const screened = screenText(said, word.kind, word.isRepeated ? screens.restoring : screens.screen);
        isMasked ||= screened.isMasked;
        if (screened.text !== said) edits.push({ start: word.start, end: word.end, text: JSON.stringify(screened.text) });
      }
    }
    return { segments, edits, isMasked };
  };

  const pushText = (name: string, said: string, words: FrameWords): Segment => {
    const text = texts.get(name) ?? openText(words);
    texts.set(name, text);
    const from = text.length;
    text.length += said.length;
    text.channel.push(said);
    text.edits.push(...text.channel.takeEdits());
    return { text, from, to: text.length, words };
  };

  const openText = (words: FrameWords): OpenText => ({
    channel: createChannel(words.kind, screens.screen),
    length: 0,
    isOver: false,
    edits: [],
  });

  const end = (prefix: string): void => {
    for (const [name, text] of texts) {
      if (!name.startsWith(prefix)) continue;
      text.channel.end();
      text.edits.push(...text.channel.takeEdits());
      text.isOver = true;
      texts.delete(name);
    }
  };

  return { take, end };
}
