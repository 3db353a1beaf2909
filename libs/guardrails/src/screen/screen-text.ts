import { applyEdits } from '../json/apply-edits';
import { createChannel, type ChannelKind } from './channel';
import type { Screen } from './screen';

/** A whole text after a screen. */
export function screenText(text: string, kind: ChannelKind, screen: Screen): { readonly text: string; readonly isMasked: boolean } {
  const channel = createChannel(kind, screen);
  channel.push(text);
  const early = channel.takeEdits();
  channel.end();
  const edits = [...early, ...channel.takeEdits()];
  return { text: edits.length === 0 ? text : applyEdits(text, edits), isMasked: edits.some(({ isMask }) => isMask) };
}
