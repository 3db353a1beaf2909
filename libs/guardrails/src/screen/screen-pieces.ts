import { applyEdits } from '../text/apply-edits';
import type { ChannelEdit } from './channel';
import type { Screen } from './screen';
import { findEdits } from './screen-text';

export type ScreenedPieces = { readonly pieces: readonly string[]; readonly isMasked: boolean };

/** Looks at texts that follow one another as at one. What reaches over several of them is replaced where it begins. */
export function screenPieces(pieces: readonly string[], screen: Screen): ScreenedPieces {
  const starts: number[] = [];
  let whole = '';
  for (const piece of pieces) {
    if (/\S$/.test(whole) && /^\S/.test(piece)) whole += ' ';
    starts.push(whole.length);
    whole += piece;
  }
  const edits = findEdits(whole, 'text', screen);
  if (edits.length === 0) return { pieces, isMasked: false };
  let seen = 0;
  const written = pieces.map((piece, index) => {
    const from = starts[index] ?? 0;
    const reported = writePiece(piece, { from, seen }, edits);
    seen = from + piece.length;
    return reported;
  });
  return { pieces: written, isMasked: edits.some(({ isMask }) => isMask) };
}

/** `seen` is where the piece before ended: a finding from there on, a space between the two included, is written in this one. */
function writePiece(
  piece: string,
  { from, seen }: { readonly from: number; readonly seen: number },
  edits: readonly ChannelEdit[],
): string {
  const inside = edits
    .filter(({ start, end }) => start < from + piece.length && end > from)
    .map(({ start, end, text }) => ({
      start: Math.max(0, start - from),
      end: Math.min(piece.length, end - from),
      text: start >= seen ? text : '',
    }));
  return inside.length === 0 ? piece : applyEdits(piece, inside);
}
