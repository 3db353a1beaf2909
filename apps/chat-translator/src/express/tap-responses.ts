import type { Usage } from '@weir/canonical';
import { addSearches } from './add-searches';
import { editFrames, splitFrames } from './edit-frames';
import { splitFrame } from './edit-nested';
import { InBandError, type ExpressTap, type TapHost } from './express-tap';
import { finishUsage } from './finish-usage';

const TERMINAL = new Set(['response.completed', 'response.incomplete', 'response.failed']);

type ResponseEvent = {
  type?: unknown;
  response?: { usage?: unknown; output?: unknown };
  output_index?: unknown;
  item?: unknown;
};

const ITEM_DONE = '"response.output_item.done"';

/** Responses events: usage comes once, in the terminal event. */
export function tapResponses(host: TapHost): ExpressTap {
  let usage: Usage | null = null;
  let isDone = false;
  /** Frames that tell of finished items: read again only when the stream breaks. */
  const withItems: string[] = [];

  const editFrame = (frame: string): string | InBandError => {
    const parts = splitFrame(frame);
    if (parts === undefined || parts.data === '[DONE]') return frame;
    const event = JSON.parse(parts.data) as ResponseEvent;
    if (event.type === 'error') return new InBandError(parts.data);
    if (typeof event.type !== 'string' || !TERMINAL.has(event.type)) return frame;
    isDone = true;
    const told = event.response?.usage;
    if (typeof told === 'object' && told !== null) usage = addSearches(host.readUsage(told), event.response?.output);
    const priced = host.settle(usage);
    if (usage === null) return frame;
    return `${parts.head}data: ${finishUsage(parts.data, ['response', 'usage'], { dialect: 'responses', told, priced })}\n\n`;
  };

  return {
    push: (frames) => {
      const text = frames.toString('latin1');
      if (text.includes(ITEM_DONE)) withItems.push(frames.toString('utf8'));
      const concernsUs =
        text.includes('"response.completed"') ||
        text.includes('"response.incomplete"') ||
        text.includes('"response.failed"') ||
        text.includes('"error"');
      return concernsUs ? editFrames(frames, editFrame) : frames;
    },
    end: () => {
      host.settle(usage);
      return '';
    },
    isComplete: () => isDone,
    lastUsage: () => usage,
    output: () => readItems(withItems),
  };
}

/** The items that were finished, in their order. */
function readItems(texts: readonly string[]): unknown[] {
  const items = new Map<number, unknown>();
  for (const frame of texts.flatMap(splitFrames)) {
    const parts = frame.includes(ITEM_DONE) ? splitFrame(frame) : undefined;
    const event = parts === undefined ? undefined : (JSON.parse(parts.data) as ResponseEvent);
    if (event?.type === 'response.output_item.done') items.set(Number(event.output_index), event.item);
  }
  return [...items].sort(([one], [other]) => one - other).map(([, item]) => item);
}
