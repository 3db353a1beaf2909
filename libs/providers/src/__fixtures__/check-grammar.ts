import type { ChatEvent } from '@weir/canonical';

const STARTS = /^(text|refusal|reasoning|tool-call|web-search)-start$/;
const ENDS = /^(text|refusal|reasoning|tool-call|web-search)-end$/;

/**
 * Says what breaks the grammar `start (block-start block-delta* block-end)* finish+ usage? end`; an empty list when
 * nothing does. A stream that was cut or failed may stop anywhere.
 */
export function checkGrammar(events: readonly ChatEvent[]): string[] {
  const faults: string[] = [];
  const open = new Map<number, string>();
  let blocks = 0;
  let stage = 0;
  events.forEach((event, at) => {
    const fault = (what: string): void => void faults.push(`${at} ${event.type}: ${what}`);
    const wanted = stageOf(event);
    if (wanted < stage) fault('too late');
    if (stage === 0 && at === 0 && event.type !== 'start' && event.type !== 'error') fault('before start');
    if (event.type === 'start' && at !== 0) fault('not first');
    if (event.type === 'usage' && stage === 3) fault('twice');
    stage = Math.max(stage, wanted);
    if (!('block' in event)) {
      if (event.type === 'finish' && open.size > 0) fault(`open blocks ${[...open.keys()].join()}`);
      return;
    }
    if (STARTS.test(event.type) || event.type === 'opaque') {
      if (event.block !== blocks) fault(`block ${event.block} instead of ${blocks}`);
      blocks += 1;
      if (event.type !== 'opaque') open.set(event.block, event.type.replace('-start', ''));
    } else if (!open.has(event.block)) fault('block is not open');
    else if (event.type !== 'citation' && !event.type.startsWith(open.get(event.block) ?? '?')) fault(`in a block of ${open.get(event.block)}`);
    if (ENDS.test(event.type)) open.delete(event.block);
  });
  return faults;
}

function stageOf(event: ChatEvent): number {
  if (event.type === 'start') return 0;
  if (event.type === 'finish') return 2;
  if (event.type === 'usage') return 3;
  return event.type === 'end' || event.type === 'error' ? 4 : 1;
}
