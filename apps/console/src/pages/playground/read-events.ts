/** One server-sent event: what it is called, where it has a name, and its data. */
export type ServerEvent = { readonly name: string | undefined; readonly data: string };

/** The events of a stream as they come. Comments, which keep a connection open, are no events. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done: isDone, value } = await reader.read();
      rest += isDone ? decoder.decode() : decoder.decode(value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      yield* blocks.flatMap((block) => readBlock(block) ?? []);
      if (isDone) return;
    }
  } finally {
    // To stop reading is to end the request.
    reader.cancel().catch(() => undefined);
  }
}

function readBlock(block: string): ServerEvent | undefined {
  let name: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    else if (line.startsWith('event:')) name = line.slice(6).trim();
  }
  return data.length === 0 ? undefined : { name, data: data.join('\n') };
}
