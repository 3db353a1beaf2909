import { stringifyExactJson } from '@weir/canonical';
import { isFailureReport } from '@weir/providers';
import { splitFrames } from '../frames/split-frames';
import { splitFrame } from '../frames/edit-nested';
import { createChoiceState, repairChoice, type ChoiceState } from './repair-choice';
import { FAILED_CHOICE, isFailedChoice, lastFinish } from './repair-finish';
import { completeCalls } from './repair-tool-calls';
import { parseRepaired, isRecord, readHead, type Head, type Json, type RepairRules } from './repair-rules';

const CHUNK = 'chat.completion.chunk';

type Stream = { readonly rules: RepairRules; readonly choices: Map<number, ChoiceState>; head: Head | undefined };

/** Repairs the chunks of one stream, frame by frame. Frames that are no chunks, failures among them, pass unchanged. */
export function createStreamRepair(rules: RepairRules): (frames: Buffer) => Buffer {
  const stream: Stream = { rules, choices: new Map(), head: undefined };
  return (frames) => {
    let repaired = '';
    for (const frame of splitFrames(frames.toString('utf8'))) repaired += repairFrame(stream, frame);
    return Buffer.from(repaired);
  };
}

function repairFrame(stream: Stream, frame: string): string {
  const parts = splitFrame(frame);
  if (parts === undefined) return frame;
  if (parts.data === '[DONE]') return `${finishOpen(stream)}${frame}`;
  const chunk = parseRepaired(parts.data);
  if (chunk === undefined || isFailureReport(chunk) || !isChunk(chunk)) return frame;
  const written = writeChunk(stream, chunk);
  return written === '' ? '' : parts.head + written;
}

function writeChunk(stream: Stream, chunk: Json): string {
  const choices = Array.isArray(chunk['choices']) ? chunk['choices'] : [];
  if (stream.rules.has('finish-reason-words') && choices.some(isFailedChoice))
    return encodeFrame({ ...FAILED_CHOICE, usage: chunk['usage'] });
  // A chunk with the usage alone is the last: all choices have ended by then.
  const ends = choices.length === 0 && isRecord(chunk['usage']) ? finishOpen(stream) : '';
  return ends + repairChunk(stream, chunk).map(encodeFrame).join('');
}

function encodeFrame(data: Json): string {
  return `data: ${stringifyExactJson(data)}\n\n`;
}

function isChunk({ choices, usage }: Json): boolean {
  if (!Array.isArray(choices)) return isRecord(usage);
  // A failure may be in a choice; it passes unchanged.
  return !choices.some((choice) => isRecord(choice) && (choice['error'] ?? null) !== null);
}

function repairChunk(stream: Stream, chunk: Json): Json[] {
  repairHead(stream, chunk);
  const reported = Array.isArray(chunk['choices']) ? chunk['choices'].filter(isRecord) : [];
  const now: Json[] = [];
  const last: Json[] = [];
  for (const [position, choice] of reported.entries()) {
    if (typeof choice['index'] !== 'number') choice['index'] = position;
    raiseUsage(chunk, choice);
    const repaired = repairChoice(choice, findState(stream, choice['index'] as number), stream.rules);
    if (repaired.now !== null) now.push(repaired.now);
    if (repaired.last !== null) last.push(repaired.last);
  }
  const { usage, ...rest } = chunk;
  const tail = usage === undefined ? {} : { usage };
  // Its choices add nothing, and it has no usage: the chunk is left out.
  if (reported.length > 0 && now.length === 0 && usage === undefined) return [];
  return last.length === 0
    ? [{ ...rest, choices: now, ...tail }]
    : [
        { ...rest, choices: now },
        { ...rest, choices: last, ...tail },
      ];
}

function repairHead(stream: Stream, chunk: Json): void {
  if (chunk['usage'] === null) delete chunk['usage'];
  if (chunk['service_tier'] === '') delete chunk['service_tier'];
  if (stream.rules.has('members-left-out')) Object.assign(chunk, (stream.head ??= readHead(chunk, CHUNK, stream.rules)));
}

/** Usage that stands in a choice belongs to the chunk. */
function raiseUsage(chunk: Json, choice: Json): void {
  if (isRecord(choice['usage'])) chunk['usage'] ??= choice['usage'];
  delete choice['usage'];
}

function findState({ choices }: Stream, index: number): ChoiceState {
  let state = choices.get(index);
  if (state === undefined) choices.set(index, (state = createChoiceState()));
  return state;
}

/** Ends the choices for which the provider sent no finish reason, although it ended the stream. */
function finishOpen({ rules, choices, head }: Stream): string {
  if (head === undefined || !rules.has('finish-reason-words')) return '';
  let written = '';
  for (const [index, state] of choices) {
    if (state.hasFinished) continue;
    state.hasFinished = true;
    const calls = completeCalls(state);
    if (calls.length > 0) written += encodeFrame({ ...head, choices: [{ index, delta: { tool_calls: calls }, finish_reason: null }] });
    const reason = lastFinish(null, { hasTools: state.calls.length > 0, hasFunction: state.hasFunction });
    written += encodeFrame({ ...head, choices: [{ index, delta: {}, finish_reason: reason }] });
  }
  return written;
}
