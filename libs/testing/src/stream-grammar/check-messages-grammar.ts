import { memberOf, readEvent, type EventData } from './read-event';
import type { SseFrame } from './parse-sse';

type Phase = 'before' | 'blocks' | 'delta' | 'over';
type Run = { phase: Phase; blocks: number; open: string | undefined; isSigned: boolean; readonly problems: string[] };

const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
  server_tool_use: ['input_json_delta'],
};

// prettier-ignore
const STOPS: ReadonlySet<unknown> = new Set([
  'end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal', 'model_context_window_exceeded',
]);

export function checkMessagesGrammar(frames: readonly SseFrame[], problems: string[]): void {
  const run: Run = { phase: 'before', blocks: 0, open: undefined, isSigned: false, problems };
  for (const frame of frames) {
    const event = readEvent(frame, problems);
    if (frame.event !== event['type']) problems.push(`event line ${String(frame.event)} for type ${String(event['type'])}`);
    if (run.phase === 'over') problems.push('an event after the last one');
    checkEvent(run, event);
  }
  if (run.phase !== 'over') problems.push('the stream ends without message_stop or error');
}

function checkEvent(run: Run, event: EventData): void {
  switch (event['type']) {
    case 'ping':
      return;
    case 'message_start':
      return checkStart(run, memberOf(event, 'message'));
    case 'content_block_start':
    case 'content_block_delta':
    case 'content_block_stop':
      return checkBlockEvent(run, event);
    case 'message_delta':
      return checkEnd(run, event);
    case 'message_stop':
      expect(run, run.phase === 'delta', 'message_stop without message_delta');
      run.phase = 'over';
      return;
    case 'error':
      expect(run, typeof memberOf(event, 'error')['message'] === 'string', 'an error without a message');
      expect(run, typeof memberOf(event, 'error')['type'] === 'string', 'an error without a type');
      run.phase = 'over';
      return;
    default:
      run.problems.push(`unknown event type ${String(event['type'])}`);
  }
}

function expect(run: Run, condition: boolean, problem: string): void {
  if (!condition) run.problems.push(problem);
}

function checkStart(run: Run, message: EventData): void {
  expect(run, run.phase === 'before', 'message_start is not the first event');
  expect(run, Array.isArray(message['content']) && message['content'].length === 0, 'message_start must have empty content');
  expect(run, message['stop_reason'] === null, 'message_start must have no stop_reason');
  expect(run, typeof memberOf(message, 'usage')['input_tokens'] === 'number', 'message_start without input_tokens');
  run.phase = 'blocks';
}

function checkBlockEvent(run: Run, event: EventData): void {
  expect(run, run.phase === 'blocks', `${String(event['type'])} outside of the message`);
  if (event['type'] === 'content_block_start') return openBlock(run, event);
  expect(run, run.open !== undefined && event['index'] === run.blocks - 1, `${String(event['type'])} for a block that is not open`);
  if (event['type'] === 'content_block_stop') run.open = undefined;
  else checkDelta(run, memberOf(event, 'delta')['type']);
}

function openBlock(run: Run, event: EventData): void {
  expect(run, run.open === undefined, 'a block starts while another is open');
  expect(run, event['index'] === run.blocks, `block index ${String(event['index'])} instead of ${run.blocks}`);
  run.blocks += 1;
  run.isSigned = false;
  run.open = String(memberOf(event, 'content_block')['type']);
}

function checkDelta(run: Run, type: unknown): void {
  expect(run, (DELTAS[run.open ?? ''] ?? []).includes(String(type)), `${String(type)} in a ${String(run.open)} block`);
  expect(run, !run.isSigned, 'the signature is not the last delta of its block');
  if (type === 'signature_delta') run.isSigned = true;
}

function checkEnd(run: Run, event: EventData): void {
  expect(run, run.phase === 'blocks' && run.open === undefined, 'message_delta while a block is open, or twice');
  expect(run, STOPS.has(memberOf(event, 'delta')['stop_reason']), `unknown stop_reason ${String(memberOf(event, 'delta')['stop_reason'])}`);
  expect(run, typeof memberOf(event, 'usage')['output_tokens'] === 'number', 'message_delta without output_tokens');
  run.phase = 'delta';
}
