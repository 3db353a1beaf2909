import { createOriginalBody, readMember, type OriginalBody } from '@weir/canonical';
import type { HistoryRule } from '@weir/providers';
import { decodeStateTag } from '@weir/wire-formats';
import type { CleanedBody, ReportedBody } from './clean-history';
import { editElements, editObject, listRecords, type Change, type Json } from './edit-elements';

/** Ids of items that were told here: made from the request's own id, and stored nowhere. */
const REPORTED_HERE = /^rs_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}\d{1,4}$/;
const NATIVE = { family: 'responses', kind: 'encrypted' } as const;
const TAG = 'gw1:';

/** The same of a Responses body; undefined when there is nothing to do. */
export function cleanInput({ body, json }: ReportedBody, { family }: HistoryRule): CleanedBody | undefined {
  if (!body.text.includes('"rs_') && !body.text.includes(TAG)) return undefined;
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
  return typeof state === 'string' && state !== '' ? state.startsWith(TAG) : typeof id === 'string' && REPORTED_HERE.test(id);
}

/** With the state of a call no thought is lost. */
function isOfCall({ encrypted_content: state }: Json): boolean {
  return typeof state === 'string' && decodeStateTag(state, NATIVE)?.toolCallId !== undefined;
}

function cleanReasoning({ encrypted_content: state }: Json, text: string, family: string): Change {
  const tagged = typeof state === 'string' ? decodeStateTag(state, NATIVE) : undefined;
  if (tagged === undefined || tagged.toolCallId !== undefined || tagged.state.family !== family) return 'leave-out';
  // Its id was made here; what is encrypted is enough.
  return { text: editObject(text, { encrypted_content: JSON.stringify(tagged.state.value), id: undefined }) };
}
