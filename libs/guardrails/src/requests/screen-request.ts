import { screenJson, screenLongJson } from '../json/screen-json';
import { readJsonString, walkJson, type Leaf } from '../json/walk-json';
import type { ChannelKind } from '../screen/channel';
import type { RequestScreen, Screen } from '../screen/screen';
import type { Pause } from '../screen/screen-text';
import { readRequestPlace } from './request-places';

export type RequestBody = { readonly text: string; readonly json: Record<string, unknown> };

/** The request after a screen, with every byte that holds no finding as it was. */
export function screenRequest(body: RequestBody, screen: RequestScreen): string {
  return screenJson(body.text, createPlaceReader(body, screen)).text;
}

/** The same for a long request, in turns with what else is to be done. */
export function screenLongRequest(body: RequestBody, screen: RequestScreen, pause: Pause): Promise<string> {
  return screenLongJson(body.text, createPlaceReader(body, screen), pause);
}

function createPlaceReader({ text, json }: RequestBody, screen: RequestScreen) {
  return (leaf: Leaf): { readonly kind: ChannelKind; readonly screen: Screen } | undefined => {
    const place = readRequestPlace(leaf, text, json);
    return place === undefined ? undefined : { kind: place.kind, screen: place.isFixed ? screen.fixed : screen };
  };
}

/** What a request says, place by place; for somebody else to look at. */
export function listTexts({ text, json }: RequestBody): string[] {
  const texts: string[] = [];
  walkJson(text, (leaf) => {
    if (leaf.kind === 'number' || readRequestPlace(leaf, text, json) === undefined) return;
    const said = readJsonString(text.slice(leaf.start, leaf.end));
    if (said !== '') texts.push(said);
  });
  return texts;
}
