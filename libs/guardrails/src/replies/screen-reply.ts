import type { ChatDialect } from '@weir/contracts';
import { screenJson } from '../json/screen-json';
import { readJsonString, walkJson } from '../json/walk-json';
import type { Screen } from '../screen/screen';
import { dropLogprobs } from './drop-logprobs';
import { readReplyPlace } from './reply-places';

export type ReplyScreens = {
  readonly dialect: ChatDialect;
  readonly screen: Screen;
  /** For what the reply repeats of its request. */
  readonly restoring: Screen;
  /** Whether something was found that nothing may pass after. */
  readonly isStopped: () => boolean;
};

/** A whole reply in its dialect, after a screen. */
export function screenReply(text: string, { dialect, screen, restoring }: Omit<ReplyScreens, 'isStopped'>): string {
  const json: unknown = JSON.parse(text);
  const screened = screenJson(text, (leaf) => {
    const place = readReplyPlace(leaf, json, { dialect, root: 0 });
    if (place === undefined) return undefined;
    return { kind: place.kind, screen: place.isRepeated ? restoring : screen };
  });
  return screened.isMasked ? dropLogprobs(screened.text) : screened.text;
}

/** What a reply says, place by place. */
export function listReplyTexts(text: string, dialect: ChatDialect): string[] {
  const json: unknown = JSON.parse(text);
  const texts: string[] = [];
  walkJson(text, (leaf) => {
    const place = leaf.kind === 'string' ? readReplyPlace(leaf, json, { dialect, root: 0 }) : undefined;
    if (place?.isRepeated !== false) return;
    const said = readJsonString(text.slice(leaf.start, leaf.end));
    if (said !== '') texts.push(said);
  });
  return texts;
}
