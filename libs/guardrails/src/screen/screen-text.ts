import { applyEdits } from '../text/apply-edits';
import { findInWhole } from '../text/text-window';
import { createChannel, type ChannelEdit, type ChannelKind } from './channel';
import type { Screen } from './screen';

/** A whole text after a screen. */
export function screenText(text: string, kind: ChannelKind, screen: Screen): { readonly text: string; readonly isMasked: boolean } {
  const edits = findEdits(text, kind, screen);
  return { text: edits.length === 0 ? text : applyEdits(text, edits), isMasked: edits.some(({ isMask }) => isMask) };
}

/** Returns a promise now and then: to be awaited, so that the event loop serves others. */
export type Pause = () => Promise<void> | undefined;

const PIECE_LENGTH = 64 * 1024;

/** A long text after a screen; yields the event loop when `pause` says so. */
export async function screenLongText(
  text: string,
  to: { readonly kind: ChannelKind; readonly screen: Screen; readonly pause: Pause },
): Promise<string> {
  const channel = createChannel(to.kind, to.screen);
  const edits: ChannelEdit[] = [];
  for (let from = 0; from < text.length; from += PIECE_LENGTH) {
    channel.push(text.slice(from, from + PIECE_LENGTH));
    for (const edit of channel.takeEdits()) edits.push(edit);
    const pause = to.pause();
    if (pause !== undefined) await pause;
  }
  channel.end();
  for (const edit of channel.takeEdits()) edits.push(edit);
  return edits.length === 0 ? text : applyEdits(text, edits);
}

/** A word in which nothing that is built in finds anything: names of members mostly. */
const PLAIN_WORD = /^(?:\w{0,8}|[A-Za-z_]{9,15})$/;

/** What a screen makes of a whole text, in order. */
export function findEdits(text: string, kind: ChannelKind, screen: Screen): ChannelEdit[] {
  if (kind === 'text' || (kind === 'auto' && !text.startsWith('{'))) {
    screen.note();
    return screen.passesWords && PLAIN_WORD.test(text) ? [] : judgeWhole(text, screen);
  }
  const channel = createChannel(kind, screen);
  channel.push(text);
  const early = channel.takeEdits();
  channel.end();
  return [...early, ...channel.takeEdits()];
}

function judgeWhole(text: string, screen: Screen): ChannelEdit[] {
  return findInWhole(text, screen.watches, screen.checks).flatMap((finding) => {
    const { start, end } = finding;
    const replacement = screen.judge(finding, text.slice(start, end));
    return replacement === undefined ? [] : [{ start, end, ...replacement }];
  });
}
