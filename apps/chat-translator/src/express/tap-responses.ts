import type { Usage } from '@weir/canonical';
import { addHostedCalls, hideKnownSecrets } from '@weir/providers';
import { splitFrame, type FrameData } from '../frames/edit-nested';
import { InBandError, type ExpressTap, type TapHost } from '../frames/express-tap';
import { finishUsage } from './finish-usage';
import { parseFrameData } from '../frames/parse-frame-data';
import { FramePasser } from '../frames/pass-frames';

const TERMINAL = new Set(['response.completed', 'response.incomplete', 'response.failed']);

type ResponseEvent = {
  type?: unknown;
  response?: { usage?: unknown; output?: unknown; error?: unknown; service_tier?: unknown; model?: unknown } | null;
  output_index?: unknown;
  item?: unknown;
};

const ITEM_DONE = '"response.output_item.done"';

/** Responses events: usage comes once, in the terminal event. */
export function tapResponses(host: TapHost): ExpressTap {
  let usage: Usage | null = null;
  let isDone = false;
  /** Frames with finished items: read again only when the stream breaks. */
  const withItems: string[] = [];

  const edit = (frame: string): string | InBandError => {
    if (isDone) return '';
    const parts = splitFrame(frame);
    const event = parts === undefined ? undefined : parseFrameData<ResponseEvent>(parts.data);
    if (parts === undefined || event === undefined) return frame;
    if (event.type === 'error') return new InBandError(parts.data);
    return typeof event.type === 'string' && TERMINAL.has(event.type) ? editTerminal(frame, parts, event) : frame;
  };

  const editTerminal = (frame: string, parts: FrameData, event: ResponseEvent): string | InBandError => {
    const response = event.response ?? {};
    const reported = response.usage;
    host.noteModel(response.model);
    if (typeof reported === 'object' && reported !== null)
      usage = addHostedCalls(host.readUsage(reported, response.service_tier), response.output);
    const isFailed = event.type === 'response.failed';
    if (isFailed && host.mayBeDropped?.() === true) return new InBandError(JSON.stringify({ error: response.error }));
    isDone = true;
    const priced = host.settle(usage, isFailed ? JSON.stringify({ error: response.error }) : undefined);
    if (usage === null) return isFailed ? hideKnownSecrets(frame) : frame;
    const data = finishUsage(parts.data, ['response', 'usage'], { dialect: 'responses', reported, priced });
    return `${parts.head}data: ${isFailed ? hideKnownSecrets(data) : data}\n\n`;
  };

  const concerns = (frame: string): boolean => {
    if (frame.includes(ITEM_DONE)) withItems.push(Buffer.from(frame, 'latin1').toString('utf8'));
    return (
      isDone ||
      frame.includes('"response.completed"') ||
      frame.includes('"response.incomplete"') ||
      frame.includes('"response.failed"') ||
      frame.includes('"error"')
    );
  };

  // A response that has not ended has a usage of null: its published type requires the member.
  const passer = new FramePasser({ varying: ['sequence_number', 'delta', 'obfuscation'], leavesOutNullUsage: false, concerns, edit });

  return {
    push: (frames) => (isDone ? '' : passer.pass(frames)),
    frames: () => passer.frames,
    end: () => {
      host.settle(usage);
      return '';
    },
    isComplete: () => isDone,
    isOver: () => isDone,
    lastUsage: () => usage,
    output: () => readItems(withItems),
  };
}

/** The items that were finished, in their order. */
function readItems(frames: readonly string[]): unknown[] {
  const items = new Map<number, unknown>();
  for (const frame of frames) {
    const parts = splitFrame(frame);
    const event = parts === undefined ? undefined : parseFrameData<ResponseEvent>(parts.data);
    if (event?.type === 'response.output_item.done') items.set(Number(event.output_index), event.item);
  }
  return [...items].sort(([one], [other]) => one - other).map(([, item]) => item);
}
