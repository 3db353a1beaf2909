import type { Usage } from '@weir/canonical';
import { addSearches } from './add-searches';
import { editFrames } from './edit-frames';
import { splitFrame } from './edit-nested';
import { InBandError, type ExpressTap, type TapHost } from './express-tap';
import { addCost } from './render-usage';

const TERMINAL = new Set(['response.completed', 'response.incomplete', 'response.failed']);

type ResponseEvent = { type?: unknown; response?: { usage?: unknown; output?: unknown } };

/** Responses events: usage comes once, in the terminal event. */
export function tapResponses(host: TapHost): ExpressTap {
  let usage: Usage | null = null;
  let isDone = false;

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
    return usage === null ? frame : `${parts.head}data: ${addCost(parts.data, ['response', 'usage'], priced)}\n\n`;
  };

  return {
    push: (frames) => {
      const text = frames.toString('latin1');
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
  };
}
