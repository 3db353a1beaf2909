import { createOriginalBody, editBody, type Usage } from '@weir/canonical';
import { isFailureReport } from '@weir/providers';
import type { PricedUsage } from '@weir/wire-formats';
import { splitFrame, type FrameData } from '../frames/edit-nested';
import { InBandError, type ExpressTap, type TapHost } from '../frames/express-tap';
import { finishUsage } from './finish-usage';
import { NULL_USAGE } from '../frames/null-usage';
import { parseFrameData } from '../frames/parse-frame-data';
import { FramePasser } from '../frames/pass-frames';
import { renderChatUsage } from './render-usage';

/** Some providers write an empty reason as long as there is none. */
const FINISH_REASON = /"finish_reason"\s*:\s*"[^"]/;
const USAGE_OBJECT = /"usage"\s*:\s*\{/;
const NOTHING_SET: ReadonlyMap<string, string> = new Map();
const WITHOUT_USAGE: ReadonlySet<string> = new Set(['usage']);

type Chunk = { id?: unknown; created?: unknown; model?: unknown; choices?: unknown; usage?: unknown; service_tier?: unknown };

type AskedOfStream = {
  readonly isUsageAsked: boolean;
  /** How many choices were asked for: each ends with a finish reason of its own. */
  readonly choices: number;
};

/** Frames before the first of the reply itself may name none. */
function noteModel(host: TapHost, frame: string): boolean {
  if (!frame.includes('"model"')) return false;
  const { model } = parseFrameData<Chunk>(readFirstData(frame) ?? '') ?? {};
  if (typeof model !== 'string' || model === '') return false;
  host.noteModel(model);
  return true;
}

/**
 * Chat-completions chunks. The provider is always asked for usage; a caller who did not ask for it sees none of that.
 * One who did gets it in a chunk of its own at the end, with the cost, wherever the provider put it.
 */
export function tapChatCompletions(host: TapHost, { isUsageAsked, choices }: AskedOfStream): ExpressTap {
  let usage: Usage | null = null;
  /** Of the first frame: read only when a chunk of ours has to look like the stream's own, or a usage comes without its tier. */
  let firstData: string | undefined;
  let first: Chunk | undefined;
  const firstChunk = (): Chunk => (first ??= parseFrameData<Chunk>(firstData ?? '') ?? {});
  const tierOfFirst = (): unknown =>
    firstData !== undefined && mayName(firstData, 'service_tier') ? firstChunk().service_tier : undefined;
  let isDone = false;
  let isUsageSent = false;
  /** Indexes of the choices that have a finish reason; some providers send it twice. */
  const ended = new Set<unknown>();
  let hasChunk = false;
  let isModelKnown = false;

  const closing = (priced: PricedUsage): string => {
    if (!isUsageAsked || isUsageSent) return '';
    isUsageSent = true;
    const { id, created, model } = firstChunk();
    const head = JSON.stringify({ id: id ?? '', object: 'chat.completion.chunk', created: created ?? 0, model: model ?? '', choices: [] });
    return `data: ${head.slice(0, -1)},"usage":${renderChatUsage(priced)}}\n\n`;
  };

  const noteUsage = (chunk: Chunk): object | null => {
    const reported = findUsage(chunk);
    if (reported !== null) usage = host.readUsage(reported, chunk.service_tier ?? tierOfFirst()) ?? usage;
    return reported;
  };

  const concerns = (frame: string): boolean => {
    firstData ??= readFirstData(frame);
    if (!isModelKnown) isModelKnown = frame.includes(host.expectedModel) || noteModel(host, frame);
    if (ended.size < choices && FINISH_REASON.test(frame)) for (const index of choices === 1 ? [0] : listEnded(frame)) ended.add(index);
    hasChunk ||= frame.includes('"choices"');
    return isDone || frame.includes('[DONE]') || USAGE_OBJECT.test(frame) || frame.includes('"error"');
  };

  const editFrame = (frame: string): string | InBandError => {
    if (isDone) return '';
    const parts = splitFrame(frame);
    if (parts === undefined) return frame;
    if (parts.data === '[DONE]') {
      // As long as no chunk came, there is no reply that could be complete.
      if (!hasChunk) return '';
      const last = closing(host.settle(usage));
      isDone = true;
      return `${last}data: [DONE]\n\n`;
    }
    const chunk = parseFrameData<Chunk>(parts.data);
    const reported = chunk === undefined ? null : noteUsage(chunk);
    if (isFailureReport(chunk)) return new InBandError(parts.data);
    if (chunk === undefined || reported === null) return frame.replaceAll(NULL_USAGE, '');
    return editUsageFrame(parts, chunk);
  };

  const editUsageFrame = (parts: FrameData, chunk: Chunk): string => {
    const isUsageOnly = !Array.isArray(chunk.choices) || chunk.choices.length === 0;
    if (!isUsageOnly) return `${parts.head}data: ${dropUsage(parts.data)}\n\n`;
    const priced = host.settle(usage);
    if (!isUsageAsked || isUsageSent) return '';
    isUsageSent = true;
    return `${parts.head}data: ${finishUsage(parts.data, ['usage'], { dialect: 'chat-completions', reported: chunk.usage, priced })}\n\n`;
  };

  const passer = new FramePasser({ varying: ['content', 'obfuscation'], leavesOutNullUsage: true, concerns, edit: editFrame });

  return {
    push: (frames) => (isDone ? '' : passer.pass(frames)),
    frames: () => passer.frames,
    end: () => (isDone ? '' : `${closing(host.settle(usage))}data: [DONE]\n\n`),
    // Some providers end without [DONE]; the finish reasons say as much.
    isComplete: () => isDone || ended.size >= choices,
    isOver: () => isDone,
    lastUsage: () => usage,
  };
}

/** The indexes of the choices whose finish reason is in this frame; what may be no ASCII is not looked at. */
function listEnded(frame: string): unknown[] {
  const parts = splitFrame(frame);
  const chunk = parts === undefined ? undefined : parseFrameData<Chunk>(parts.data);
  const listed = (Array.isArray(chunk?.choices) ? chunk.choices : []) as ({ index?: unknown; finish_reason?: unknown } | null)[];
  return listed.filter((choice) => Boolean(choice?.finish_reason)).map((choice) => choice?.index ?? 0);
}

/** Usage is at the top level, in a choice, or in a provider's own extension. */
function findUsage(chunk: Chunk): object | null {
  const first: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  const inChoice = typeof first === 'object' && first !== null ? (first as { usage?: unknown }).usage : undefined;
  for (const candidate of [chunk.usage, inChoice, ...extensionUsages(chunk)]) {
    if (typeof candidate === 'object' && candidate !== null) return candidate;
  }
  return null;
}

/** Providers keep fields of their own under names that start with `x_`. */
function extensionUsages(chunk: Chunk): unknown[] {
  return Object.entries(chunk)
    .filter(([name, value]) => name.startsWith('x_') && typeof value === 'object' && value !== null)
    .map(([, value]) => (value as { usage?: unknown }).usage);
}

function dropUsage(data: string): string {
  const body = createOriginalBody(data);
  return body === undefined ? data : editBody(body, { set: NOTHING_SET, remove: WITHOUT_USAGE });
}

/** Whether a member of that name may be somewhere in the text. It is looked for without reading the text. */
function mayName(text: string, name: string): boolean {
  return text.includes(name) || text.includes('\\u');
}

/** The first line with data: its id, time and model are those of the whole stream. */
function readFirstData(frame: string): string | undefined {
  if (!frame.includes('data:')) return undefined;
  const line = Buffer.from(frame, 'latin1')
    .toString('utf8')
    .split(/\r?\n/)
    .find((each) => each.startsWith('data:'));
  return line?.slice(5);
}
