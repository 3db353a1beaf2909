import { memberOf, readEvent, type EventData } from './read-event';
import type { SseFrame } from './parse-sse';

type Choice = { hasRole: boolean; hasFinished: boolean; calls: number };
type Run = { readonly choices: Map<unknown, Choice>; head: string | undefined; usageChunks: number };

const FINISHES: ReadonlySet<unknown> = new Set(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']);

export function checkChatGrammar(frames: readonly SseFrame[], problems: string[]): void {
  const run: Run = { choices: new Map(), head: undefined, usageChunks: 0 };
  const last = frames.at(-1);
  const isFailed = last !== undefined && last.data.startsWith('{"error"');
  frames.forEach((frame, index) => {
    if (frame.event !== undefined) problems.push(`an event line: ${frame.event}`);
    if (index === frames.length - 1 && (isFailed || frame.data === '[DONE]')) return;
    checkChunk(run, readEvent(frame, problems), problems);
  });
  if (isFailed) return checkError(readEvent(last, problems), problems);
  checkWhole(run, problems);
  if (last?.data !== '[DONE]') problems.push('the stream does not end with [DONE]');
}

function checkWhole(run: Run, problems: string[]): void {
  if (run.choices.size === 0) problems.push('no choice was opened');
  for (const [index, choice] of run.choices) if (!choice.hasFinished) problems.push(`choice ${String(index)} has no finish_reason`);
  if (run.usageChunks > 1) problems.push('more than one usage chunk');
}

function checkError(data: EventData, problems: string[]): void {
  const error = memberOf(data, 'error');
  if (typeof error['message'] !== 'string' || typeof error['origin'] !== 'string') problems.push('an error without origin and message');
}

function checkChunk(run: Run, chunk: EventData, problems: string[]): void {
  if (chunk['object'] !== 'chat.completion.chunk') problems.push('a chunk without its object word');
  const head = JSON.stringify([chunk['id'], chunk['created'], chunk['model']]);
  run.head ??= head;
  if (head !== run.head) problems.push('id, created or model changed');
  const choices = chunk['choices'];
  if (!Array.isArray(choices)) return void problems.push('choices is no array');
  if (run.usageChunks > 0) problems.push('a chunk after the usage chunk');
  if (choices.length === 0) {
    run.usageChunks += 1;
    if (typeof memberOf(chunk, 'usage')['total_tokens'] !== 'number') problems.push('a chunk without choices and without usage');
    return;
  }
  if (chunk['usage'] === null) problems.push('a usage of null');
  else if (chunk['usage'] !== undefined) problems.push('usage on a chunk with choices');
  for (const choice of choices as EventData[]) checkChoice(run, choice, problems);
}

function checkChoice(run: Run, data: EventData, problems: string[]): void {
  const index = data['index'];
  const choice = run.choices.get(index) ?? { hasRole: false, hasFinished: false, calls: 0 };
  run.choices.set(index, choice);
  const delta = memberOf(data, 'delta');
  if (choice.hasFinished) problems.push(`choice ${String(index)} goes on after its finish_reason`);
  if (choice.hasRole === 'role' in delta) problems.push(`choice ${String(index)}: role must come first and once`);
  choice.hasRole = true;
  if (Array.isArray(delta['tool_calls'])) for (const call of delta['tool_calls'] as EventData[]) checkCall(choice, call, problems);
  if (data['finish_reason'] === null) return;
  choice.hasFinished = true;
  if (!FINISHES.has(data['finish_reason'])) problems.push(`unknown finish_reason ${String(data['finish_reason'])}`);
  if (Object.keys(delta).length > 0) problems.push('the finish chunk carries a delta');
}

function checkCall(choice: Choice, call: EventData, problems: string[]): void {
  const index = call['index'];
  if (index === choice.calls) {
    choice.calls += 1;
    const called = memberOf(call, call['type'] === 'custom' ? 'custom' : 'function');
    if (typeof call['id'] !== 'string' || typeof called['name'] !== 'string') problems.push('a tool call starts without id or name');
  } else if (index !== choice.calls - 1) {
    problems.push(`tool call index ${String(index)} after ${choice.calls - 1}`);
  } else if ('id' in call || 'name' in memberOf(call, 'function')) {
    problems.push('a further fragment repeats id or name');
  }
}
