import type { Screen } from '../screen/screen';
import { screenText } from '../screen/screen-text';
import type { ChannelKind } from '../screen/channel';
import { applyEdits, type Edit } from './apply-edits';
import { readJsonString, walkJson, type Leaf } from './walk-json';

/** Which screen a place goes through and how it is read; undefined when it is left as it is. */
export type PlaceReader = (leaf: Leaf) => { readonly kind: ChannelKind; readonly screen: Screen } | undefined;

/** Sends the words of JSON text through screens and writes what became of them; every other byte stays. */
export function screenJson(text: string, readPlace: PlaceReader): { readonly text: string; readonly isMasked: boolean } {
  const edits: Edit[] = [];
  let isMasked = false;
  walkJson(text, (leaf) => {
    const place = readPlace(leaf);
    if (place === undefined) return;
    const edit = screenLeaf(text, leaf, place);
    if (edit === undefined) return;
    isMasked ||= edit.isMasked;
    edits.push(edit);
  });
  return { text: edits.length === 0 ? text : applyEdits(text, edits), isMasked };
}

function screenLeaf(
  text: string,
  { kind, start, end }: Leaf,
  place: { readonly kind: ChannelKind; readonly screen: Screen },
): (Edit & { readonly isMasked: boolean }) | undefined {
  const literal = text.slice(start, end);
  const said = kind === 'string' ? readJsonString(literal) : literal;
  if (said === '') return undefined;
  const screened = screenText(said, place.kind, place.screen);
  return screened.text === said ? undefined : { start, end, text: JSON.stringify(screened.text), isMasked: screened.isMasked };
}
