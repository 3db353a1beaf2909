import { createOriginalBody, editBody, type Usage } from '@weir/canonical';
import { isFailureReport } from '@weir/providers';
import type { PricedUsage } from '@weir/wire-formats';
import { editFrames, splitFrames } from '../frames/edit-frames';
import { splitFrame, type FrameData } from '../frames/edit-nested';
import { InBandError, type ExpressTap, type TapHost } from '../frames/express-tap';
import { finishUsage } from './finish-usage';
import { parseFrameData } from '../frames/parse-frame-data';
import { NULL_USAGE, withoutNullUsage } from '../frames/null-usage';
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

/**
 * Chat-completions chunks. The provider is always asked for usage; a caller who did not ask for it sees none of that.
 * One who did gets it in a chunk of its own at the end, with the cost, wherever the provider put it.
 */
export function tapChatCompletions(host: TapHost, { isUsageAsked, choices }: AskedOfStream): ExpressTap {
  let usage: Usage | null = null;
  /** The beginning of the stream, read only when a chunk of ours has to look like its own, or a usage comes without its tier. */
  let firstFrames = '';
  let first: Chunk | undefined;
  const firstChunk = (): Chunk => (first ??= readFirstChunk(firstFrames));
  let isDone = false;
  let isUsageSent = false;
  /** Indexes of the choices that have a finish reason; some providers send it twice. */
  const ended = new Set<unknown>();
  let hasChunk = false;

  const closing = (priced: PricedUsage): string => {
    if (!isUsageAsked || isUsageSent) return '';
    isUsageSent = true;
    const { id, created, model } = firstChunk();
    const head = JSON.stringify({ id: id ?? '', object: 'chat.completion.chunk', created: created ?? 0, model: model ?? '', choices: [] });
    return `data: ${head.slice(0, -1)},"usage":${renderChatUsage(priced)}}\n\n`;
  };

  const noteUsage = (chunk: Chunk): object | null => {
    const reported = findUsage(chunk);
    if (reported !== null) usage = host.readUsage(reported, chunk.service_tier ?? firstChunk().service_tier) ?? usage;
    return reported;
  };

  const noteEnds = (frames: Buffer): void => {
    for (const index of choices === 1 ? [0] : listEnded(frames)) ended.add(index);
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

  return {
    push: (frames) => {
      if (isDone) return '';
      const text = frames.toString('latin1');
      if (firstFrames === '' && text.includes('data:')) firstFrames = frames.toString('utf8');
      if (ended.size < choices && FINISH_REASON.test(text)) noteEnds(frames);
      hasChunk ||= text.includes('"choices"');
      const concernsUs = text.includes('[DONE]') || USAGE_OBJECT.test(text) || text.includes('"error"');
      if (concernsUs) return editFrames(frames, editFrame);
      return withoutNullUsage(frames, text);
    },
    end: () => (isDone ? '' : `${closing(host.settle(usage))}data: [DONE]\n\n`),
    // Some providers end without [DONE]; the finish reasons say as much.
    isComplete: () => isDone || ended.size >= choices,
    isOver: () => isDone,
    lastUsage: () => usage,
  };
}

/** The indexes of the choices whose finish reason is in these frames. */
function listEnded(frames: Buffer): unknown[] {
  return splitFrames(frames.toString('utf8')).flatMap((frame) => {
    const parts = splitFrame(frame);
    const chunk = parts === undefined ? undefined : parseFrameData<Chunk>(parts.data);
    const listed = (Array.isArray(chunk?.choices) ? chunk.choices : []) as ({ index?: unknown; finish_reason?: unknown } | null)[];
    return listed.filter((choice) => Boolean(choice?.finish_reason)).map((choice) => choice?.index ?? 0);
  });
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

/** The first chunk that holds data: its id, time and model are those of the whole stream. */
function readFirstChunk(frames: string): Chunk {
  const line = frames.split(/\r?\n/).find((each) => each.startsWith('data:'));
  return (line === undefined ? undefined : parseFrameData<Chunk>(line.slice(5))) ?? {};
}
