import type { ChatDialect } from '@weir/contracts';
import { readPlace } from '../json/text-places';
import type { Leaf } from '../json/walk-json';
import type { ChannelKind } from '../screen/channel';

/** Where a reply's own words begin; everything else in it is about the reply, or repeats the request. */
const ANSWER_ROOT: Readonly<Record<ChatDialect, string>> = { 'chat-completions': 'choices', responses: 'output', messages: 'content' };
/** What replies repeat of their requests. */
const REPEATED: ReadonlySet<string | number> = new Set(['instructions', 'input', 'prompt', 'metadata']);

type ReplyPlace = { readonly kind: ChannelKind; readonly isRepeated: boolean };

/** How a place of a whole reply is read; `root` is how many members of the path lead to the reply. */
export function readReplyPlace(
  leaf: Leaf,
  json: unknown,
  at: { readonly dialect: ChatDialect; readonly root: number },
): ReplyPlace | undefined {
  const root = leaf.path[at.root];
  if (root === ANSWER_ROOT[at.dialect]) {
    const kind = readPlace(leaf, json, at.root + 1);
    return kind === undefined ? undefined : { kind, isRepeated: false };
  }
  return root !== undefined && REPEATED.has(root) && leaf.kind === 'string' ? { kind: 'text', isRepeated: true } : undefined;
}
