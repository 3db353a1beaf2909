import type { ChatEvent } from '@weir/canonical';

const STARTS = /^(text|refusal|reasoning|tool-call|web-search)-start$/;
const ENDS = /^(text|refusal|reasoning|tool-call|web-search)-end$/;

type BlockEvent = Extract<ChatEvent, { block: number }>;
type Course = { readonly open: Map<number, string>; blocks: number; stage: number };

/**
 * Says what breaks the grammar `start (block-start block-delta* block-end)* finish+ usage? end`; an empty list when
 * nothing does. A stream that was cut or failed may stop anywhere.
 */
export function checkGrammar(events: readonly ChatEvent[]): string[] {
  const course: Course = { open: new Map(), blocks: 0, stage: -1 };
  return events.flatMap((event, at) => {
    const faults = [...checkOrder(course, event), ...('block' in event ? checkBlock(course, event) : [])];
    return faults.map((fault) => `${at} ${event.type}: ${fault}`);
  });
}

function checkOrder(course: Course, event: ChatEvent): string[] {
  const faults: string[] = [];
  const stage = stageOf(event);
  if (stage < course.stage) faults.push('too late');
  if (stage === course.stage && !('block' in event) && event.type !== 'finish') faults.push('twice');
  if (course.stage === -1 && event.type !== 'start' && event.type !== 'error') faults.push('before start');
  if (event.type === 'finish' && course.open.size > 0) faults.push(`open blocks ${[...course.open.keys()].join()}`);
  course.stage = Math.max(course.stage, stage);
  return faults;
}

function checkBlock(course: Course, event: BlockEvent): string[] {
  const { open } = course;
  const faults: string[] = [];
  if (STARTS.test(event.type) || isWhole(event)) {
    if (event.block !== course.blocks) faults.push(`block ${event.block} instead of ${course.blocks}`);
    course.blocks += 1;
    if (!isWhole(event)) open.set(event.block, event.type.replace('-start', ''));
  } else if (!open.has(event.block)) faults.push('block is not open');
  else if (event.type !== 'citation' && !event.type.startsWith(open.get(event.block) ?? '?'))
    faults.push(`in a block of ${open.get(event.block)}`);
  if (ENDS.test(event.type)) open.delete(event.block);
  return faults;
}

/** A block in one event. */
function isWhole({ type }: BlockEvent): boolean {
  return type === 'opaque' || type === 'image';
}

function stageOf(event: ChatEvent): number {
  if (event.type === 'start') return 0;
  if (event.type === 'finish') return 2;
  if (event.type === 'usage') return 3;
  return event.type === 'end' || event.type === 'error' ? 4 : 1;
}
