/** Reads a recording by its bytes and does not trust the lengths that it states. */
export type AudioSource = { readonly type: string; readonly size: number; read(): AsyncIterable<Uint8Array> };

/** The part of a file that is at hand. A scan reads from `at` on and moves it, beyond the end of the part too. */
export type View = {
  /** Of the whole file. */
  readonly size: number;
  /** Where the part begins in the file. */
  start: number;
  bytes: Buffer;
  at: number;
};

/**
 * Reads a file once, from front to back, however it is cut into pieces: it yields how many bytes it needs at hand. Fewer are
 * there afterwards only at the end of the file.
 */
export type Scan<Found> = Generator<number, Found, undefined>;

/** Runs a scan over a file from its byte `start` on. Holds one piece of the file at a time, and what the scan needs. */
export async function runScan<Found>(source: AudioSource, begin: (view: View) => Scan<Found>, start = 0): Promise<Found> {
  const pieces = cutPieces(source);
  const view: View = { size: source.size, start: 0, bytes: Buffer.alloc(0), at: start };
  try {
    const scan = begin(view);
    let step = scan.next();
    while (step.done !== true) {
      await fill(view, pieces, step.value);
      step = scan.next();
    }
    return step.value;
  } finally {
    await pieces.return(undefined);
  }
}

const PIECE_BYTES = 8 * 1024;
const AT_WORK_MS_MAX = 5;

/** Small pieces, and pauses between them: a file may be made so that each of its bytes costs a moment, and others wait as well. */
async function* cutPieces(source: AudioSource): AsyncGenerator<Uint8Array, undefined> {
  let since = performance.now();
  for await (const piece of source.read()) {
    for (let at = 0; at < piece.byteLength; at += PIECE_BYTES) {
      yield piece.subarray(at, at + PIECE_BYTES);
      if (performance.now() - since < AT_WORK_MS_MAX) continue;
      await new Promise<void>((resolve) => void setImmediate(resolve));
      since = performance.now();
    }
  }
  return undefined;
}

async function fill(view: View, pieces: AsyncIterator<Uint8Array>, wanted: number): Promise<void> {
  while (view.at + wanted > view.bytes.length) {
    const next = await pieces.next();
    if (next.done === true) return;
    const { buffer, byteOffset, byteLength } = next.value;
    const piece = Buffer.from(buffer, byteOffset, byteLength);
    const passed = Math.min(view.at, view.bytes.length);
    view.bytes = passed === view.bytes.length ? piece : Buffer.concat([view.bytes.subarray(passed), piece]);
    view.start += passed;
    view.at -= passed;
  }
}

/** Whether so many bytes are at hand. */
export function has(view: View, count: number): boolean {
  return view.at + count <= view.bytes.length;
}

export function positionOf(view: View): number {
  return view.start + view.at;
}

/** Takes bytes that are at hand; fewer at the end of the file. */
export function take(view: View, count: number): Buffer {
  const taken = view.bytes.subarray(Math.min(view.at, view.bytes.length), view.at + count);
  view.at += taken.length;
  return taken;
}

/** Forgets what a position is not inside of any more, of things that stand in each other; `ends` has the innermost last. */
export function leaveEnded(ends: number[], position: number): void {
  while (ends.length > 0 && position >= (ends.at(-1) ?? 0)) ends.pop();
}
