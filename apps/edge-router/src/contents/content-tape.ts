import type { ServerResponse } from 'node:http';
import type { ContentCapacity } from './content-capacity';

/** The beginning of a response; `isCut`: there was more of it. Undefined: there was no capacity for it. */
export type Recorded = { readonly bytes: Buffer; readonly isCut: boolean };

export type ContentTape = {
  /** Called once, when the response is over. The bytes still count in the capacity. */
  stop(): Recorded | undefined;
};

type Rest = readonly unknown[];

/** Copies what goes through a response from here on, up to `bytesMax`, and changes nothing of it. */
export function openContentTape(response: ServerResponse, capacity: ContentCapacity, bytesMax: number): ContentTape {
  const write = response.write.bind(response) as (...args: Rest) => boolean;
  const end = response.end.bind(response) as (...args: Rest) => ServerResponse;
  let chunks: Buffer[] | undefined = [];
  let size = 0;
  let isOver = false;
  let isEnded = false;

  const copy = (chunk: unknown, encoding: unknown): void => {
    const bytes = isOver || chunks === undefined ? undefined : readChunk(chunk, encoding);
    if (bytes === undefined) return;
    const fits = Math.min(bytes.length, bytesMax - size);
    if (fits < bytes.length) isOver = true;
    if (capacity.take(fits)) {
      size += fits;
      chunks?.push(Buffer.from(bytes.subarray(0, fits)));
    } else {
      capacity.give(size);
      chunks = undefined;
    }
  };

  response.write = ((...args: Rest): boolean => {
    copy(args[0], args[1]);
    return write(...args);
  }) as ServerResponse['write'];
  response.end = ((...args: Rest): ServerResponse => {
    copy(args[0], args[1]);
    isEnded = true;
    return end(...args);
  }) as ServerResponse['end'];

  return {
    stop: () => {
      if (chunks === undefined) return undefined;
      const recorded = { bytes: Buffer.concat(chunks), isCut: isOver || !isEnded };
      // What comes after the caller left went nowhere.
      isOver = true;
      return recorded;
    },
  };
}

function readChunk(chunk: unknown, encoding: unknown): Uint8Array | undefined {
  if (typeof chunk === 'string') return Buffer.from(chunk, isEncoding(encoding) ? encoding : 'utf8');
  return chunk instanceof Uint8Array ? chunk : undefined;
}

function isEncoding(value: unknown): value is BufferEncoding {
  return typeof value === 'string' && Buffer.isEncoding(value);
}
