import { readPlace } from '../json/text-places';
import { screenJson, screenLongJson } from '../json/screen-json';
import { readJsonString, walkJson, type Leaf } from '../json/walk-json';
import type { ChannelKind } from '../screen/channel';
import type { Screen } from '../screen/screen';
import type { Pause } from '../screen/screen-text';

/** Members of a request that hold words, in any dialect and for embeddings. */
const ROOTS: ReadonlySet<string | number> = new Set(['messages', 'system', 'input', 'instructions', 'prompt', 'prediction', 'documents']);

export type RequestBody = { readonly text: string; readonly json: Record<string, unknown> };

/** The request after a screen, with every byte that holds no finding as it was. */
export function screenRequest(body: RequestBody, screen: Screen): string {
  return screenJson(body.text, (leaf) => {
    const kind = readRequestPlace(leaf, body.json);
    return kind === undefined ? undefined : { kind, screen };
  }).text;
}

/** The same for a long request, in turns with what else is to be done. */
export function screenLongRequest(body: RequestBody, screen: Screen, pause: Pause): Promise<string> {
  return screenLongJson(
    body.text,
    (leaf) => {
      const kind = readRequestPlace(leaf, body.json);
      return kind === undefined ? undefined : { kind, screen };
    },
    pause,
  );
}

/** What a request says, place by place; for somebody else to look at. */
export function listTexts({ text, json }: RequestBody): string[] {
  const texts: string[] = [];
  walkJson(text, (leaf) => {
    if (readRequestPlace(leaf, json) === undefined || leaf.kind !== 'string') return;
    const said = readJsonString(text.slice(leaf.start, leaf.end));
    if (said !== '') texts.push(said);
  });
  return texts;
}

function readRequestPlace(leaf: Leaf, json: unknown): ChannelKind | undefined {
  const [root] = leaf.path;
  // What tools were called before they had that name is still taken.
  if (root === 'tools' || root === 'functions') return leaf.path.at(-1) === 'description' && leaf.kind === 'string' ? 'text' : undefined;
  return root !== undefined && ROOTS.has(root) ? readPlace(leaf, json, 1) : undefined;
}
