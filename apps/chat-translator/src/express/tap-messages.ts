import type { Usage } from '@weir/canonical';
import { splitFrame } from '../frames/edit-nested';
import { InBandError, type ExpressTap, type TapHost } from '../frames/express-tap';
import { finishUsage } from './finish-usage';
import { parseFrameData } from '../frames/parse-frame-data';
import { FramePasser } from '../frames/pass-frames';

type MessageEvent = { type?: unknown; message?: { usage?: unknown; model?: unknown }; usage?: unknown };

/** Messages events: usage comes in `message_start` and, final, in `message_delta`; the later value of each field counts. */
export function tapMessages(host: TapHost): ExpressTap {
  let merged: Record<string, unknown> = {};
  let usage: Usage | null = null;
  let isDone = false;

  const editFrame = (frame: string): string | InBandError => {
    if (isDone) return '';
    const parts = splitFrame(frame);
    if (parts === undefined) return frame;
    const event = parseFrameData<MessageEvent>(parts.data);
    if (event === undefined) return frame;
    if (event.type === 'error') return new InBandError(parts.data);
    if (event.type === 'message_start') {
      host.noteModel(event.message?.model);
      learn(event.message?.usage);
    }
    if (event.type === 'message_stop') {
      isDone = true;
      host.settle(usage);
    }
    if (event.type !== 'message_delta') return frame;
    learn(event.usage);
    const priced = host.settle(usage);
    return `${parts.head}data: ${finishUsage(parts.data, ['usage'], { dialect: 'messages', reported: merged, priced })}\n\n`;
  };

  const learn = (reported: unknown): void => {
    if (typeof reported !== 'object' || reported === null) return;
    merged = { ...merged, ...Object.fromEntries(Object.entries(reported).filter(([, value]) => value !== null)) };
    usage = host.readUsage(merged) ?? usage;
  };

  const concerns = (frame: string): boolean =>
    isDone ||
    frame.includes('"message_start"') ||
    frame.includes('"message_delta"') ||
    frame.includes('message_stop') ||
    frame.includes('"error"');

  const passer = new FramePasser({ varying: ['text', 'thinking', 'partial_json'], leavesOutNullUsage: false, concerns, edit: editFrame });

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
  };
}
