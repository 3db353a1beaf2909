import { memberOf, readEvent, type EventData } from './read-event';
import type { SseFrame } from './parse-sse';

/** Deltas that build up one text, and the event that repeats it whole. */
const TEXTS: Readonly<Record<string, { readonly done: string; readonly member: string; readonly item: string }>> = {
  'response.output_text.delta': { done: 'response.output_text.done', member: 'text', item: 'message' },
  'response.refusal.delta': { done: 'response.refusal.done', member: 'refusal', item: 'message' },
  'response.function_call_arguments.delta': { done: 'response.function_call_arguments.done', member: 'arguments', item: 'function_call' },
  'response.custom_tool_call_input.delta': { done: 'response.custom_tool_call_input.done', member: 'input', item: 'custom_tool_call' },
  'response.reasoning_text.delta': { done: 'response.reasoning_text.done', member: 'text', item: 'reasoning' },
  'response.reasoning_summary_text.delta': { done: 'response.reasoning_summary_text.done', member: 'text', item: 'reasoning' },
};
const DONES: ReadonlyMap<string, { readonly member: string; readonly item: string }> = new Map(
  Object.values(TEXTS).map(({ done, member, item }) => [done, { member, item }]),
);
const WITHIN_ITEMS =
  /^response\.(?:content_part\.(?:added|done)|reasoning_summary_part\.(?:added|done)|output_text\.annotation\.added|web_search_call\.(?:in_progress|searching|completed))$/;

type Item = { readonly id: unknown; readonly type: unknown; text: string; isPartOpen: boolean };
type Run = { readonly problems: string[]; readonly finished: unknown[]; item: Item | undefined; events: number; isOver: boolean };

export function checkResponsesGrammar(frames: readonly SseFrame[], problems: string[]): void {
  const run: Run = { problems, finished: [], item: undefined, events: 0, isOver: false };
  for (const frame of frames) {
    const event = readEvent(frame, problems);
    const type = String(event['type']);
    expect(run, frame.event === type, `event line ${String(frame.event)} for type ${type}`);
    expect(run, event['sequence_number'] === run.events, `sequence_number ${String(event['sequence_number'])} instead of ${run.events}`);
    expect(run, !run.isOver, 'an event after the last one');
    checkOpening(run, type);
    checkEvent(run, type, event);
    run.events += 1;
  }
  expect(run, run.isOver, 'the stream ends without a terminal event');
}

function expect(run: Run, condition: boolean, problem: string): void {
  if (!condition) run.problems.push(problem);
}

function checkOpening(run: Run, type: string): void {
  const expected = ['response.created', 'response.in_progress'][run.events];
  if (expected !== undefined) expect(run, type === expected, `${type} where ${expected} should stand`);
  else expect(run, type !== 'response.created' && type !== 'response.in_progress', `${type} again`);
}

function checkEvent(run: Run, type: string, event: EventData): void {
  switch (type) {
    case 'response.created':
    case 'response.in_progress':
      return expect(run, memberOf(event, 'response')['status'] === 'in_progress', `${type} with another status`);
    case 'response.output_item.added':
      return openItem(run, event);
    case 'response.output_item.done':
      return finishItem(run, event);
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return checkTerminal(run, type, memberOf(event, 'response'));
    default:
      return checkWithinItem(run, type, event);
  }
}

function openItem(run: Run, event: EventData): void {
  const item = memberOf(event, 'item');
  expect(run, run.item === undefined, 'an item is added while another is open');
  expect(
    run,
    event['output_index'] === run.finished.length,
    `output_index ${String(event['output_index'])} instead of ${run.finished.length}`,
  );
  run.item = { id: item['id'], type: item['type'], text: '', isPartOpen: false };
}

function finishItem(run: Run, event: EventData): void {
  const item = memberOf(event, 'item');
  expect(run, run.item !== undefined && item['id'] === run.item.id && item['type'] === run.item.type, 'an item is done that was not added');
  expect(run, event['output_index'] === run.finished.length, 'an item is done under another output_index');
  expect(run, run.item?.isPartOpen !== true, 'an item is done while a part is open');
  run.finished.push(item);
  run.item = undefined;
}

function checkWithinItem(run: Run, type: string, event: EventData): void {
  const open = run.item;
  if (open === undefined) return void run.problems.push(`${type} outside of an item`);
  expect(run, event['item_id'] === open.id && event['output_index'] === run.finished.length, `${type} for another item`);
  const text = TEXTS[type];
  const done = DONES.get(type);
  if (text !== undefined) {
    expect(run, open.type === text.item, `${type} in a ${String(open.type)} item`);
    expect(run, typeof event['delta'] === 'string' && event['delta'] !== '', `${type} without text`);
    open.text += String(event['delta']);
  } else if (done !== undefined) {
    expect(run, event[done.member] === open.text, `${type} does not repeat its deltas`);
    open.text = '';
  } else if (WITHIN_ITEMS.test(type)) {
    checkPart(run, open, type);
  } else {
    run.problems.push(`unknown event type ${type}`);
  }
}

function checkPart(run: Run, open: Item, type: string): void {
  if (type.endsWith('part.added')) {
    expect(run, !open.isPartOpen, 'a part is added while another is open');
    open.isPartOpen = true;
  } else if (type.endsWith('part.done')) {
    expect(run, open.isPartOpen, 'a part is done that was not added');
    open.isPartOpen = false;
  }
}

function checkTerminal(run: Run, type: string, response: EventData): void {
  run.isOver = true;
  expect(run, `response.${String(response['status'])}` === type, `${type} with status ${String(response['status'])}`);
  expect(run, type === 'response.failed' || run.item === undefined, `${type} while an item is open`);
  const output = Array.isArray(response['output']) ? (response['output'] as unknown[]) : [];
  const isCut = type === 'response.failed' && run.item !== undefined;
  const finished = isCut ? output.slice(0, run.finished.length) : output;
  expect(run, JSON.stringify(finished) === JSON.stringify(run.finished), `${type} does not repeat the finished items`);
  if (isCut) checkCutItem(run, output.slice(run.finished.length));
  expect(run, type === 'response.failed' || typeof memberOf(response, 'usage')['total_tokens'] === 'number', `${type} without usage`);
}

/** A response that failed may end with the item that was still open. */
function checkCutItem(run: Run, rest: readonly unknown[]): void {
  const [item, ...more] = rest as readonly (EventData | undefined)[];
  expect(
    run,
    more.length === 0 && (item === undefined || item['id'] === run.item?.id),
    'response.failed lists items that were never added',
  );
}
