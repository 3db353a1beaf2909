/** One server-sent event around a JSON value. */
export function encodeSseFrame(value: unknown, event?: string): string {
  const data = typeof value === 'string' ? value : JSON.stringify(value);
  return event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`;
}

export const DONE_FRAME = 'data: [DONE]\n\n';

/** The events of an SSE text, as a caller would read them; comments and unknown fields are left out. */
export function parseSseText(text: string): { event: string | undefined; data: string }[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n\n+/)
    .map(parseBlock)
    .filter((block) => block !== undefined);
}

function parseBlock(block: string): { event: string | undefined; data: string } | undefined {
  const data: string[] = [];
  let event: string | undefined;
  for (const line of block.split('\n')) {
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    else if (line.startsWith('event:')) event = line.slice(6).trim();
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n') };
}
