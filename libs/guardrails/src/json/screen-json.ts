import type { Screen } from '../screen/screen';
import { screenLongText, screenText, type Pause } from '../screen/screen-text';
import type { ChannelKind } from '../screen/channel';
import { applyEdits, type Edit } from '../text/apply-edits';
import { readJsonString, walkJson, type Leaf } from './walk-json';

/** Which screen a place goes through and how it is read; undefined when it is left as it is. */
type PlaceReader = (leaf: Leaf) => Place | undefined;

type Place = { readonly kind: ChannelKind; readonly screen: Screen };

/** A place with as much text as this is looked at piece by piece. */
const LONG = 64 * 1024;

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

/** The same for text that is long: one place after another; in between it yields the event loop when `pause` says so. */
export async function screenLongJson(text: string, readPlace: PlaceReader, pause: Pause): Promise<string> {
  const found: { readonly leaf: Leaf; readonly place: Place }[] = [];
  walkJson(text, (leaf) => {
    const place = readPlace(leaf);
    if (place !== undefined) found.push({ leaf: { ...leaf, path: [] }, place });
  });
  const edits: Edit[] = [];
  for (const { leaf, place } of found) {
    const edit = await screenLongLeaf(text, leaf, place, pause);
    if (edit !== undefined) edits.push(edit);
    const waiting = pause();
    if (waiting !== undefined) await waiting;
  }
  return edits.length === 0 ? text : applyEdits(text, edits);
}

/** A promise for each of very many short places would cost more than looking at them. */
function screenLongLeaf(text: string, leaf: Leaf, place: Place, pause: Pause): Edit | undefined | Promise<Edit | undefined> {
  const said = readSaid(text, leaf);
  if (said.length < LONG) return screenLeaf(text, leaf, place);
  return screenLongText(said, { ...place, pause }).then((written) =>
    written === said ? undefined : { start: leaf.start, end: leaf.end, text: JSON.stringify(written) },
  );
}

function readSaid(text: string, { kind, start, end }: Leaf): string {
  const literal = text.slice(start, end);
  return kind === 'number' ? literal : readJsonString(literal);
}

function screenLeaf(text: string, leaf: Leaf, place: Place): (Edit & { readonly isMasked: boolean }) | undefined {
  const { start, end } = leaf;
  const said = readSaid(text, leaf);
  if (said === '') return undefined;
  const screened = screenText(said, place.kind, place.screen);
  return screened.text === said ? undefined : { start, end, text: JSON.stringify(screened.text), isMasked: screened.isMasked };
}
