import type { ContentBlock, FinishReason } from '@weir/canonical';
import { startsBlock, type BlockEvent } from '../stream/block-events';

/**
 * Which of the caller's stop sequences ended a text. Most providers cut the sequence off and do not report it; some leave it
 * at the end of the text, which is then the only place to find it. A sequence in the middle of the text shows that the provider
 * does not obey them, so that nothing is certain any more. Of several that end the text together it is the longest.
 */
function findStop(text: string, stops: readonly string[]): string | undefined {
  if (stops.some((stop) => goesOnAfter(text, stop))) return undefined;
  return longest(stops.filter((stop) => stop !== '' && text.endsWith(stop)));
}

/** The content without the sequence that ended it, and the finish that names the sequence. */
export function cutStop(
  content: readonly ContentBlock[],
  finish: FinishReason,
  stops: readonly string[] = [],
): { readonly content: readonly ContentBlock[]; readonly finish: FinishReason } {
  const last = content.at(-1);
  const stop = last?.type === 'text' && mayHaveStopped(finish) ? findStop(last.text, stops) : undefined;
  if (stop === undefined || last?.type !== 'text') return { content, finish };
  const cut = { ...last, text: last.text.slice(0, -stop.length) };
  return { content: [...content.slice(0, -1), cut], finish: nameStop(finish, stop) };
}

/** The same for a stream whose blocks come one after another: what may be the beginning of a sequence waits for what follows. */
type StopFinder = {
  push(event: BlockEvent): void;
  /** No text follows: lets out what waits, but for the sequence that ended the text. */
  finish(finish: FinishReason): FinishReason;
};

export function createStopFinder(stops: readonly string[] = [], emit: (event: BlockEvent) => void): StopFinder {
  const sequences = stops.filter((stop) => stop !== '');
  let buffered = '';
  let block = -1;
  /** What came after the buffered text, in order. */
  let after: BlockEvent[] = [];
  let isObeyed = true;

  function release(count: number): void {
    if (count > 0) emit({ type: 'text-delta', choice: 0, block, text: buffered.slice(0, count) });
    buffered = buffered.slice(count);
    after.forEach(emit);
    after = [];
  }

  return {
    push(event) {
      if (sequences.length === 0) return emit(event);
      if (event.type === 'text-delta') {
        block = event.block;
        buffered += event.text;
        isObeyed &&= !sequences.some((stop) => goesOnAfter(buffered, stop));
        return release(isObeyed ? buffered.length - measureBeginning(buffered, sequences) : buffered.length);
      }
      if (buffered === '') return emit(event);
      if (startsBlock(event)) {
        release(buffered.length);
        return emit(event);
      }
      after.push(event);
    },
    finish(finish) {
      const stop = isObeyed && mayHaveStopped(finish) ? findStop(buffered, sequences) : undefined;
      if (stop !== undefined) buffered = buffered.slice(0, -stop.length);
      release(buffered.length);
      return stop === undefined ? finish : nameStop(finish, stop);
    },
  };
}

/** How long the end of a text is that may be the beginning of a sequence, or is one. */
function measureBeginning(text: string, stops: readonly string[]): number {
  let length = Math.min(text.length, Math.max(...stops.map((stop) => stop.length)));
  while (length > 0 && !stops.some((stop) => stop.startsWith(text.slice(-length)))) length -= 1;
  return length;
}

function goesOnAfter(text: string, stop: string): boolean {
  const at = stop === '' ? -1 : text.indexOf(stop);
  return at !== -1 && at + stop.length < text.length;
}

function longest(stops: readonly string[]): string | undefined {
  return [...stops].sort((one, other) => other.length - one.length)[0];
}

/** A reply that ended for another reason ended by no sequence. */
function mayHaveStopped({ unified }: FinishReason): boolean {
  return unified === 'stop' || unified === 'stop-sequence';
}

function nameStop(finish: FinishReason, stopSequence: string): FinishReason {
  return { ...finish, unified: 'stop-sequence', stopSequence };
}
