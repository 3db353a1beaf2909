import { createOriginalBody, editBody, readMember } from '@weir/canonical';

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Sets one member deep in a JSON object by its path, leaving every other byte as it is. Answers the text unchanged when
 * the path's parents are not there.
 */
export function setNested(text: string, path: readonly [string, ...string[]], value: string): string {
  const body = createOriginalBody(text);
  if (body === undefined) return text;
  const [name, ...rest] = path;
  if (rest.length === 0) return editBody(body, { set: new Map([[name, value]]), remove: NOTHING });
  const inner = readMember(body, name);
  if (inner === undefined) return text;
  return editBody(body, { set: new Map([[name, setNested(inner, rest as [string, ...string[]], value)]]), remove: NOTHING });
}

/** The data of one server-sent event, and what stands before it (its `event:` line), so that it can be written again. */
export type FrameData = { readonly head: string; readonly data: string };

/** Splits a frame into head and data. Answers undefined for frames without data (comments). */
export function splitFrame(frame: string): FrameData | undefined {
  const at = frame.startsWith('data:') ? 0 : frame.indexOf('\ndata:') + 1;
  if (at === 0 && !frame.startsWith('data:')) return undefined;
  const data = frame
    .slice(at)
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => (line.startsWith('data: ') ? line.slice(6) : line.slice(5)))
    .join('\n');
  return { head: frame.slice(0, at), data };
}
