import { createOriginalBody, editBody, indexElements, readMember, type OriginalBody } from '@weir/canonical';
import { asRecord, asText, parseJson } from '../../wire/json-value';

const IS_NAMED = /"file_data"\s*:\s*"https?:/i;
const ADDRESS = /^https?:/i;
const CONTENTS = ['content', 'output'] as const;

/**
 * This gateway takes the address of a file in `file_data`, where the provider wants bytes: there it is moved to `file_url`.
 * Returns the text of the changed `input`, every other byte of which stays the caller's; undefined when nothing changes.
 */
export function moveFileAddresses(body: OriginalBody): string | undefined {
  // Found by a plain text search first: an ordinary request is never parsed again.
  if (!IS_NAMED.test(body.outline)) return undefined;
  return mapObjects(readMember(body, 'input'), (item) => {
    const edited = new Map<string, string>();
    for (const name of CONTENTS) {
      const parts = mapObjects(readMember(item, name), moveAddress);
      if (parts !== undefined) edited.set(name, parts);
    }
    return edited.size === 0 ? undefined : editBody(item, { set: edited, remove: new Set() });
  });
}

function moveAddress(part: OriginalBody): string | undefined {
  const { type, file_data: address } = asRecord(parseJson(part.text)) ?? {};
  if (type !== 'input_file' || !ADDRESS.test(asText(address) ?? '')) return undefined;
  // The provider takes the name of a file with its bytes only.
  return editBody(part, { set: new Map([['file_url', JSON.stringify(address)]]), remove: new Set(['file_data', 'filename']) });
}

/** A JSON array with some of its objects changed; undefined when none is, and for any other value. */
function mapObjects(text: string | undefined, change: (element: OriginalBody) => string | undefined): string | undefined {
  const spans = text === undefined ? undefined : indexElements(text);
  if (text === undefined || spans === undefined) return undefined;
  let isChanged = false;
  const elements = spans.map(({ start, end }) => {
    const element = text.slice(start, end);
    const object = createOriginalBody(element);
    const changed = object === undefined ? undefined : change(object);
    isChanged ||= changed !== undefined;
    return changed ?? element;
  });
  return isChanged ? `[${elements.join(',')}]` : undefined;
}
