import { applyEdits } from '../json/apply-edits';
import { createChannel, type ChannelEdit, type ChannelKind } from './channel';
import type { Screen } from './screen';

/** A whole text after a screen. */
export function screenText(text: string, kind: ChannelKind, screen: Screen): { readonly text: string; readonly isMasked: boolean } {
  const edits = findEdits(text, kind, screen);
  return { text: edits.length === 0 ? text : applyEdits(text, edits), isMasked: edits.some(({ isMask }) => isMask) };
}

/** What a screen makes of a whole text, in order. */
export function findEdits(text: string, kind: ChannelKind, screen: Screen): ChannelEdit[] {
  const channel = createChannel(kind, screen);
  channel.push(text);
  const early = channel.takeEdits();
  channel.end();
  return [...early, ...channel.takeEdits()];
}
