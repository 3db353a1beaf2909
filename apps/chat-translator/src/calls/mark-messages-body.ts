import { createOriginalBody, editBody, indexElements, readMember, type CacheMark, type OriginalBody } from '@weir/canonical';

const NOTHING: ReadonlySet<string> = new Set();
const MARKABLE = new Set(['text', 'image', 'document', 'tool_use', 'tool_result', 'search_result']);

/**
 * The caller's own messages body with cache breakpoints at the last tool, the end of the system prompt and the caller's
 * last turn; every other byte stays. A body with breakpoints of its own stays as it is. Undefined where there is no place for any.
 */
export function markMessagesBody(body: OriginalBody, mark: CacheMark): OriginalBody | undefined {
  if (body.outline.includes('"cache_control"')) return body;
  const control = JSON.stringify({ type: 'ephemeral', ...(mark.ttl === undefined ? {} : { ttl: mark.ttl }) });
  const set = new Map<string, string>();
  const edit = (name: string, change: (text: string) => string | undefined): void => {
    const text = readMember(body, name);
    const changed = text === undefined ? undefined : change(text);
    if (changed !== undefined) set.set(name, changed);
  };
  edit('tools', (tools) => changeLast(tools, (tool) => addMember(tool, control)));
  edit('system', (system) => markContent(system, control));
  edit('messages', (messages) =>
    changeLast(messages, (message) => {
      const json = createOriginalBody(message);
      if (json === undefined || readMember(json, 'role') !== '"user"') return undefined;
      const content = markContent(readMember(json, 'content') ?? '', control);
      return content === undefined ? undefined : editBody(json, { set: new Map([['content', content]]), remove: NOTHING });
    }),
  );
  return set.size === 0 ? undefined : createOriginalBody(editBody(body, { set, remove: NOTHING }));
}

/** Text becomes a block, because only blocks carry breakpoints. */
function markContent(content: string, control: string): string | undefined {
  if (content.startsWith('"')) {
    const isBlank = (JSON.parse(content) as string).trim() === '';
    return isBlank ? undefined : `[{"type":"text","text":${content},"cache_control":${control}}]`;
  }
  return changeLast(content, (block) => {
    const { type, text } = JSON.parse(block) as { type?: string; text?: unknown };
    const isBlank = type === 'text' && String(text).trim() === '';
    return isBlank || type === undefined || !MARKABLE.has(type) ? undefined : addMember(block, control);
  });
}

function addMember(text: string, control: string): string | undefined {
  const json = createOriginalBody(text);
  return json && editBody(json, { set: new Map([['cache_control', control]]), remove: NOTHING });
}

function changeLast(array: string, change: (element: string) => string | undefined): string | undefined {
  const last = indexElements(array)?.at(-1);
  if (last === undefined) return undefined;
  const changed = change(array.slice(last.start, last.end));
  return changed === undefined ? undefined : array.slice(0, last.start) + changed + array.slice(last.end);
}
