/** The data of one server-sent event and its other lines; undefined for an event without data. */
export function splitEvent(raw: string): { readonly head: string; readonly data: string } | undefined {
  const data: string[] = [];
  let head = '';
  for (const line of raw.split(/\r?\n/)) {
    if (line.startsWith('data:')) data.push(line.startsWith('data: ') ? line.slice(6) : line.slice(5));
    else if (line !== '') head += `${line}\n`;
  }
  return data.length === 0 ? undefined : { head, data: data.join('\n') };
}
