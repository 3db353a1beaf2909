export type Piece = { readonly kind: 'text' | 'code'; readonly language: string; readonly text: string };

const FENCE = /^ {0,3}(```+|~~~+)\s*([\w+#.-]*)[^\n`]*$/;
/** Pieces of a long text are drawn by themselves, so that a growing reply draws only its end again. */
const PIECE_MAX = 4000;

/** Text and the blocks of code between its fences. Everything else of a reply stays as it is written. */
export function splitText(text: string): Piece[] {
  const pieces: Piece[] = [];
  let open: Open | undefined;
  let lines: string[] = [];
  let length = 0;
  const close = (next: Open | undefined): void => {
    if (lines.length > 0)
      pieces.push({ kind: open === undefined ? 'text' : 'code', language: open?.language ?? '', text: lines.join('\n') });
    lines = [];
    length = 0;
    open = next;
  };
  for (const line of text.split('\n')) {
    const fence = readFence(line);
    if (fence !== undefined && (open === undefined || endsCode(open, fence))) {
      close(open === undefined ? fence : undefined);
      continue;
    }
    if (open === undefined && length > PIECE_MAX) close(undefined);
    lines.push(line);
    length += line.length + 1;
  }
  close(undefined);
  return pieces;
}

/** The fence that a block of code has begun with. */
type Open = { readonly fence: string; readonly language: string };

function readFence(line: string): Open | undefined {
  const [, fence, language = ''] = FENCE.exec(line) ?? [];
  return fence === undefined ? undefined : { fence, language };
}

function endsCode(open: Open, { fence, language }: Open): boolean {
  return fence.startsWith(open.fence) && language === '';
}
