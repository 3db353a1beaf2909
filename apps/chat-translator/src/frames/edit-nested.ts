import { createOriginalBody, editBody, readMember } from '@weir/canonical';

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Sets one member deep in a JSON object by its path, leaving every other byte as it is. Returns the text unchanged when
 * the path's parents are missing.
 */
export function setNested(text: string, path: readonly string[], value: string): string {
  const body = createOriginalBody(text);
  if (body === undefined) return text;
  const [name, ...rest] = path;
  if (name === undefined) return text;
  if (rest.length === 0) return editBody(body, { set: new Map([[name, value]]), remove: NOTHING });
  const inner = readMember(body, name);
  if (inner === undefined) return text;
  return editBody(body, { set: new Map([[name, setNested(inner, rest, value)]]), remove: NOTHING });
}

/** The data of one server-sent event and its other lines (`event:`, `id:`), so that it can be written again. */
export type FrameData = { readonly head: string; readonly data: string };

/** Splits a frame into data and its other lines, which may come before or after the data. Returns undefined for frames without data. */
export function splitFrame(frame: string): FrameData | undefined {
  const data: string[] = [];
  let head = '';
  for (const line of frame.split(/\r?\n/)) {
    if (line.startsWith('data:')) data.push(line.startsWith('data: ') ? line.slice(6) : line.slice(5));
    else if (line !== '') head += `${line}\n`;
  }
  return data.length === 0 ? undefined : { head, data: data.join('\n') };
}
