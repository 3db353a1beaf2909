/** One server-sent event as it stood on the wire. */
export type SseFrame = { readonly event: string | undefined; readonly data: string };

/** Splits a whole stream into frames; comments are left out. What breaks the framing is listed in `problems`. */
export function parseSse(text: string, problems: string[]): SseFrame[] {
  if (text !== '' && !text.endsWith('\n\n')) problems.push('the stream does not end with an empty line');
  return text
    .split('\n\n')
    .filter((chunk) => chunk !== '')
    .flatMap((chunk) => parseFrame(chunk, problems));
}

function parseFrame(chunk: string, problems: string[]): SseFrame[] {
  let event: string | undefined;
  const data: string[] = [];
  for (const line of chunk.split('\n')) {
    if (line.startsWith(':')) continue;
    else if (line.startsWith('event: ')) event = line.slice('event: '.length);
    else if (line.startsWith('data: ')) data.push(line.slice('data: '.length));
    else problems.push(`unknown line ${JSON.stringify(line.slice(0, 80))}`);
  }
  if (data.length === 0 && event === undefined) return [];
  if (data.length !== 1) problems.push(`an event has ${data.length} data lines`);
  return [{ event, data: data.join('\n') }];
}
