import type { TranscriptSegment, TranscriptWord } from '@weir/canonical';

/** A word and the text that belongs to it: punctuation, and the space before. */
export type HeardWord = TranscriptWord & { readonly text: string };

const SENTENCE_END = /[.!?。！？…]["'”’)]*\s*$/;
/** A silence of so many seconds ends a segment as well. */
const SILENCE_SECONDS = 1.5;

/** Words as segments: a new one begins after a sentence, a long silence, and where another speaker begins. */
export function joinWords(words: readonly HeardWord[]): TranscriptSegment[] {
  const segments: TranscriptSegment[] = [];
  let open: HeardWord[] = [];
  const close = (): void => {
    const [first] = open;
    const last = open.at(-1);
    if (first === undefined || last === undefined) return;
    const speaker = first.speaker === undefined ? {} : { speaker: first.speaker };
    segments.push({
      id: segments.length,
      start: first.start,
      end: last.end,
      text: open
        .map(({ text }) => text)
        .join('')
        .trim(),
      ...speaker,
    });
    open = [];
  };
  for (const word of words) {
    const last = open.at(-1);
    if (last !== undefined && (last.speaker !== word.speaker || word.start - last.end > SILENCE_SECONDS)) close();
    open.push(word);
    if (SENTENCE_END.test(word.text)) close();
  }
  close();
  return segments;
}
