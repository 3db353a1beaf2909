import type { Citation, OpaqueBlock, OpaqueState } from '@weir/canonical';
import { asArray, asRecord, asText, type JsonRecord } from '../wire/json-value';
import { createCallStreams, type CallStreams } from './call-streams';
import { decodeFinish, readStopSequence } from './decode-finish';
import { readAnnotations, readPictures, readWords } from './decode-message';
import { createFilterVerdicts } from './filter-verdicts';
import { createDetailLog } from './reasoning-details';
import type { ChoiceStreamParts } from './choice-stream-parts';

/** One alternative of a streamed reply: its open prose block, its tool calls, and how it finished. */
export type ChoiceStream = {
  take(choice: JsonRecord): void;
  hasFinished(): boolean;
  hasFailed(): boolean;
  /** Ends the open blocks. `sources` are pages the reply names without a place in the text. */
  close(sources: readonly Citation[], promptVerdicts: unknown): void;
  finish(): void;
};

type ProseKind = 'text' | 'reasoning' | 'refusal';

const START = { text: 'text-start', reasoning: 'reasoning-start', refusal: 'refusal-start' } as const;
const END = { text: 'text-end', reasoning: 'reasoning-end', refusal: 'refusal-end' } as const;

export function createChoiceStream(parts: ChoiceStreamParts): ChoiceStream {
  const { log, choice } = parts;
  const calls = createCallStreams(parts);
  const details = createDetailLog(parts.detailsFamily);
  const verdicts = createFilterVerdicts();
  let open: { kind: ProseKind; block: number } | null = null;
  let waiting: Citation[] = [];
  let hasCited = false;
  let finishWord: unknown;
  let stopSequence: string | undefined;

  function closeProse(): void {
    if (open === null) return;
    if (open.kind === 'text') cite(waiting, open.block);
    if (open.kind === 'reasoning') reportState(parts, open.block, details.take());
    log.add({ type: END[open.kind], choice, block: open.block });
    open = null;
  }

  function openProse(kind: ProseKind): number {
    if (open?.kind === kind) return open.block;
    closeProse();
    const block = log.nextBlock();
    open = { kind, block };
    log.add({ type: START[kind], choice, block });
    return block;
  }

  function cite(citations: readonly Citation[], block: number): void {
    for (const citation of citations) log.add({ type: 'citation', choice, block, citation });
    hasCited ||= citations.length > 0;
    waiting = [];
  }

  function takeDelta(delta: JsonRecord, logprobs: unknown): void {
    const words = readWords(delta);
    details.add(delta['reasoning_details']);
    if (words.reasoning !== '') log.add({ type: 'reasoning-delta', choice, block: openProse('reasoning'), text: words.reasoning });
    if (words.text !== '') {
      const block = openProse('text');
      const reported = logprobs === undefined || logprobs === null ? {} : { logprobs };
      log.add({ type: 'text-delta', choice, block, text: words.text, ...reported });
    }
    if (words.refusal !== '') log.add({ type: 'refusal-delta', choice, block: openProse('refusal'), text: words.refusal });
    if (delta['annotations'] !== undefined) waiting.push(...readAnnotations(delta['annotations']));
    const pictures = delta['images'] === undefined ? [] : readPictures(delta['images']);
    if (pictures.length > 0 || asArray(delta['tool_calls']).length > 0) closeProse();
    for (const source of pictures) log.add({ type: 'image', choice, block: log.nextBlock(), source });
    takeCalls(calls, delta);
  }

  return {
    take(reported) {
      verdicts.add(reported);
      const delta = asRecord(reported['delta']);
      if (delta !== undefined) takeDelta(delta, reported['logprobs']);
      const word = reported['finish_reason'];
      if (word !== undefined && word !== null && word !== '') finishWord = word;
      stopSequence = readStopSequence(reported) ?? stopSequence;
    },
    hasFinished: () => finishWord !== undefined,
    hasFailed: () => decodeFinish(finishWord, false).unified === 'error',
    close(sources, promptVerdicts) {
      if (!hasCited && waiting.length === 0) waiting = [...sources];
      closeProse();
      calls.close();
      // State that came after the words it belongs to, or without any.
      if (details.hasState()) openProse('reasoning');
      closeProse();
      reportVerdicts(parts, verdicts.take(promptVerdicts));
    },
    finish() {
      log.add({ type: 'finish', choice, finish: decodeFinish(finishWord, calls.count() > 0, stopSequence) });
    },
  };
}

function reportState({ log, choice }: ChoiceStreamParts, block: number, state: OpaqueState | undefined): void {
  if (state !== undefined) log.add({ type: 'reasoning-state', choice, block, state });
}

function reportVerdicts({ log, choice }: ChoiceStreamParts, content: OpaqueBlock | undefined): void {
  if (content !== undefined) log.add({ type: 'opaque', choice, block: log.nextBlock(), content });
}

function takeCalls(calls: CallStreams, delta: JsonRecord): void {
  for (const fragment of asArray(delta['tool_calls'])) calls.take(asRecord(fragment) ?? {});
  const legacy = asRecord(delta['function_call']);
  if ((asText(legacy?.['name']) ?? asText(legacy?.['arguments'])) !== undefined) calls.take({ index: 0, function: legacy });
}
