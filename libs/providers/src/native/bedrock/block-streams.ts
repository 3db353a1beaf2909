import type { EventLog } from '../../streams/create-event-log';
import { asRecord, asText, type JsonRecord } from '../../wire/json-value';
import { unwrapCustomInput } from '../../wire/remember-custom-tools';
import { decodeCitation, isAnswerCall, isServerTool, readState, readToolName, toOpaque, type DecodeContext } from './decode-blocks';
import type { CallsSeen } from './decode-finish';

/** The content blocks of one message as they stream in. */
export type BlockStreams = {
  start(index: number, start: JsonRecord): void;
  delta(index: number, delta: JsonRecord): void;
  stop(index: number): void;
  /** Ends what the provider left open. */
  closeAll(): void;
  seen(): CallsSeen;
};

type Kind = 'text' | 'reasoning' | 'call' | 'answer' | 'opaque';
type Open = {
  readonly kind: Kind;
  readonly block: number;
  /** What an opaque block started with. */
  readonly raw: JsonRecord;
  /** Free-form input is emitted at the end, when it can be unwrapped. */
  readonly isHeld: boolean;
  text: string;
  signature: string;
  redacted: string;
};

const CHOICE = 0;
const NO_RAW: JsonRecord = {};

type Streams = {
  readonly log: EventLog;
  readonly context: DecodeContext;
  readonly open: Map<number, Open>;
  calls: number;
  answerBlocks: number;
};

/** Blocks of text and reasoning have no beginning of their own here: their first delta is one. */
export function createBlockStreams(log: EventLog, context: DecodeContext): BlockStreams {
  const streams: Streams = { log, context, open: new Map(), calls: 0, answerBlocks: 0 };
  return {
    start(index, start) {
      const call = asRecord(start['toolUse']);
      if (call !== undefined && !isServerTool(call)) startCall(streams, index, call);
      else if (Object.keys(start).length > 0) begin(streams, index, { kind: 'opaque', raw: start });
    },
    delta: (index, delta) => takeDelta(streams, index, delta),
    stop: (index) => stop(streams, index),
    closeAll() {
      for (const index of [...streams.open.keys()]) stop(streams, index);
    },
    seen: () => ({ hasToolCalls: streams.calls > 0, hasAnswer: streams.answerBlocks > 0 }),
  };
}

function begin(streams: Streams, index: number, { kind, raw, isHeld }: { kind: Kind; raw?: JsonRecord; isHeld?: boolean }): Open {
  // Not every model ends its blocks; the next one then does.
  for (const [other, { kind: open }] of streams.open) if (other === index || open !== 'call') stop(streams, other);
  const block = streams.log.nextBlock();
  const started: Open = { kind, block, raw: raw ?? NO_RAW, isHeld: isHeld ?? false, text: '', signature: '', redacted: '' };
  streams.open.set(index, started);
  if (kind === 'text' || kind === 'answer') streams.log.add({ type: 'text-start', choice: CHOICE, block });
  else if (kind === 'reasoning') streams.log.add({ type: 'reasoning-start', choice: CHOICE, block });
  return started;
}

function startCall(streams: Streams, index: number, call: JsonRecord): void {
  const { log, context } = streams;
  if (isAnswerCall(call, context)) {
    streams.answerBlocks += 1;
    begin(streams, index, { kind: 'answer' });
    return;
  }
  streams.calls += 1;
  const { name, kind } = readToolName(call, context);
  const { block } = begin(streams, index, { kind: 'call', isHeld: kind === 'custom' });
  log.add({ type: 'tool-call-start', choice: CHOICE, block, id: asText(call['toolUseId']) ?? '', name, kind });
}

function takeDelta(streams: Streams, index: number, delta: JsonRecord): void {
  const text = delta['text'];
  if (typeof text === 'string') {
    if (text !== '') streams.log.add({ type: 'text-delta', choice: CHOICE, block: reopen(streams, index, 'text').block, text });
    return;
  }
  const reasoning = asRecord(delta['reasoningContent']);
  if (reasoning !== undefined) return takeReasoning(streams, index, reasoning);
  if (delta['citation'] !== undefined) {
    const { block } = reopen(streams, index, 'text');
    return streams.log.add({ type: 'citation', choice: CHOICE, block, citation: decodeCitation(delta['citation'], streams.context) });
  }
  const input = asRecord(delta['toolUse'])?.['input'];
  if (typeof input === 'string' && input !== '') takeInput(streams, index, input);
}

function reopen(streams: Streams, index: number, kind: 'text' | 'reasoning'): Open {
  const current = streams.open.get(index);
  return current?.kind === kind ? current : begin(streams, index, { kind });
}

function takeReasoning(streams: Streams, index: number, reported: JsonRecord): void {
  const text = asText(reported['text']);
  const signature = asText(reported['signature']);
  const redacted = asText(reported['redactedContent']);
  if (text === undefined && signature === undefined && redacted === undefined) return;
  const current = reopen(streams, index, 'reasoning');
  if (text !== undefined) streams.log.add({ type: 'reasoning-delta', choice: CHOICE, block: current.block, text });
  current.signature += signature ?? '';
  current.redacted += redacted ?? '';
}

function takeInput({ log, open }: Streams, index: number, input: string): void {
  const current = open.get(index);
  if (current === undefined) return;
  current.text += input;
  const { kind, block, isHeld } = current;
  if (kind === 'call' && !isHeld) log.add({ type: 'tool-call-delta', choice: CHOICE, block, argumentsText: input });
  else if (kind === 'answer') log.add({ type: 'text-delta', choice: CHOICE, block, text: input });
}

function stop(streams: Streams, index: number): void {
  const current = streams.open.get(index);
  if (current === undefined) return;
  streams.open.delete(index);
  const { log, context } = streams;
  const { kind, block, raw, text } = current;
  if (kind === 'reasoning') return endReasoning(streams, current);
  if (kind === 'call') return endCall(streams, current);
  if (kind === 'opaque') return log.add({ type: 'opaque', choice: CHOICE, block, content: toOpaque(raw, context) });
  if (kind === 'answer' && text === '') log.add({ type: 'text-delta', choice: CHOICE, block, text: '{}' });
  log.add({ type: 'text-end', choice: CHOICE, block });
}

function endReasoning({ log, context }: Streams, { block, signature, redacted }: Open): void {
  const state = readState({ signature, redacted }, context);
  if (state !== undefined) log.add({ type: 'reasoning-state', choice: CHOICE, block, state });
  log.add({ type: 'reasoning-end', choice: CHOICE, block });
}

function endCall({ log }: Streams, { block, text, isHeld }: Open): void {
  if (isHeld) log.add({ type: 'tool-call-delta', choice: CHOICE, block, argumentsText: unwrapCustomInput(text) });
  else if (text === '') log.add({ type: 'tool-call-delta', choice: CHOICE, block, argumentsText: '{}' });
  log.add({ type: 'tool-call-end', choice: CHOICE, block });
}
