import { createOriginalBody, readMember, type OriginalBody } from '@weir/canonical';
import type { HistoryRule } from '@weir/providers';
import { decodeStateTag } from '@weir/wire-formats';
import type { CleanedBody, CallerBody } from './caller-body';
import { editElements, editObject, listRecords, type Change, type Json } from './edit-elements';

/** Ids of items that the gateway made itself: from the request's own id, and stored nowhere. */
const MADE_HERE = /^rs_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}\d{1,4}$/;
const NATIVE = { family: 'responses', kind: 'encrypted' } as const;
const TAG = 'gw1:';

/** Cleans the history of a Responses body; undefined when there is nothing to do. */
export function cleanInput({ body, json }: CallerBody, { family }: HistoryRule): CleanedBody | undefined {
  if (!body.outline.includes('"rs_') && !body.outline.includes(TAG)) return undefined;
  if (!listRecords(json['input']).some(isForeign)) return undefined;
  const dropped = new Set<string>();
  const clean = (item: Json, text: string): Change => {
    const change = isForeign(item) ? cleanReasoning(item, text, family) : 'keep';
    if (change === 'leave-out' && !isOfCall(item)) dropped.add('input.reasoning');
    return change;
  };
  const input = editElements(readMember(body, 'input') ?? '', clean, json['input']);
  if (input?.isChanged !== true) return undefined;
  const text = editObject(body.text, { input: input.text });
  return { body: createOriginalBody(text) as OriginalBody, dropped: [...dropped], approximated: [] };
}

function isForeign({ type, id, encrypted_content: state }: Json): boolean {
  if (type !== 'reasoning') return false;
  return typeof state === 'string' && state !== '' ? state.startsWith(TAG) : typeof id === 'string' && MADE_HERE.test(id);
}

/** State that belongs to a tool call holds no reasoning, so dropping it is no loss. */
function isOfCall({ encrypted_content: state }: Json): boolean {
  return typeof state === 'string' && decodeStateTag(state, NATIVE)?.toolCallId !== undefined;
}

function cleanReasoning({ encrypted_content: state }: Json, text: string, family: string): Change {
  const tagged = typeof state === 'string' ? decodeStateTag(state, NATIVE) : undefined;
  if (tagged === undefined || tagged.toolCallId !== undefined || tagged.state.family !== family) return 'leave-out';
  // Its id was made by the gateway; the provider needs the encrypted content only.
  return { text: editObject(text, { encrypted_content: JSON.stringify(tagged.state.value), id: undefined }) };
}
