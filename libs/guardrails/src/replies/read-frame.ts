import type { ChatDialect } from '@weir/contracts';
import { resolve, readPlace } from '../json/text-places';
import { walkJson, type Leaf } from '../json/walk-json';
import type { ChannelKind } from '../screen/channel';
import { readReplyPlace } from './reply-places';

/** Words in one event of a stream: part of a text that goes on, or a text of their own (`channel` undefined). */
export type FrameWords = {
  readonly start: number;
  readonly end: number;
  readonly kind: ChannelKind;
  readonly channel: string | undefined;
  readonly isRepeated: boolean;
  readonly isString: boolean;
};

/** `ends`: beginnings of the names of texts that are over after this event; `""` means all of them. */
type FrameReading = { readonly words: readonly FrameWords[]; readonly ends: readonly string[] };

type Event = Record<string, unknown>;
type Place = Pick<FrameWords, 'kind' | 'channel' | 'isRepeated'>;

/** Reads the data of one server-sent event of a dialect. */
export function readFrame(dialect: ChatDialect, data: string): FrameReading {
  const event = parseEvent(data);
  if (event === undefined) return { words: [], ends: data === '[DONE]' ? [''] : [] };
  const readEventPlace = READERS[dialect];
  const words: FrameWords[] = [];
  walkJson(data, (leaf) => {
    const place = readEventPlace(leaf, event);
    if (place !== undefined) words.push({ ...place, start: leaf.start, end: leaf.end, isString: leaf.kind !== 'number' });
  });
  return { words, ends: ENDS[dialect](event) };
}

const READERS: Readonly<Record<ChatDialect, (leaf: Leaf, event: Event) => Place | undefined>> = {
  'chat-completions': (leaf, event) => {
    const { path } = leaf;
    if (path[0] !== 'choices') return undefined;
    const kind = readPlace(leaf, event, 2);
    if (kind === undefined) return undefined;
    // The older completions have their text in the choice itself.
    const isDelta = (path[2] === 'delta' || (path[2] === 'text' && path.length === 3)) && leaf.kind === 'string';
    return { kind, isRepeated: false, channel: isDelta ? nameChannel(path, event) : undefined };
  },
  messages: (leaf, event) => {
    const { path } = leaf;
    const kind = path[0] === 'delta' || path[0] === 'content_block' ? readPlace(leaf, event, 1) : undefined;
    if (kind === undefined || event['type'] === 'message_delta') return undefined;
    const [, name, ...more] = path;
    const isText = more.length === 0 && (name === 'text' || name === 'thinking' || name === 'partial_json');
    const channel = isText ? `${String(event['index'])}/${name}` : undefined;
    return { kind: name === 'partial_json' ? 'json' : kind, isRepeated: false, channel };
  },
  responses: (leaf, event) => {
    const { path } = leaf;
    const type = typeof event['type'] === 'string' ? event['type'] : '';
    if (path[0] === 'response') return withoutChannel(readReplyPlace(leaf, event, { dialect: 'responses', root: 1 }));
    if (path[0] === 'delta' && path.length === 1) return leaf.kind === 'name' ? undefined : readDelta(type, event);
    const kind = path[0] === 'type' || type.startsWith('error') ? undefined : readPlace(leaf, event, 0);
    return kind === undefined ? undefined : { kind, isRepeated: false, channel: undefined };
  },
};

function withoutChannel(place: { kind: ChannelKind; isRepeated: boolean } | undefined): Place | undefined {
  return place === undefined ? undefined : { ...place, channel: undefined };
}

function readDelta(type: string, event: Event): Place | undefined {
  if (type === 'response.audio.delta') return undefined;
  return { kind: type.includes('arguments') ? 'json' : 'auto', isRepeated: false, channel: nameItemText(type, event) };
}

/** Events number what they are about, wherever they list it. */
function nameChannel(path: readonly (string | number)[], event: Event): string {
  const steps = path.map((step, at) => {
    if (typeof step === 'string') return step;
    const index = (resolve(event, path.slice(0, at + 1)) as { index?: unknown } | undefined)?.index;
    return String(typeof index === 'number' ? index : step);
  });
  return `${steps[1]}/${steps.slice(3).join('/')}`;
}

function nameItemText(type: string, event: Event): string {
  const part = event['content_index'] ?? event['summary_index'] ?? '';
  return `${String(event['output_index'])}/${type.replace(/\.(?:delta|done)$/, '')}/${String(part)}/`;
}

const ENDS: Readonly<Record<ChatDialect, (event: Event) => string[]>> = {
  'chat-completions': ({ choices }) =>
    Array.isArray(choices)
      ? (choices as { index?: unknown; finish_reason?: unknown }[])
          .filter((choice) => typeof choice?.finish_reason === 'string')
          .map((choice) => `${String(choice.index ?? 0)}/`)
      : [],
  messages: ({ type, index }) => {
    if (type === 'content_block_stop') return [`${String(index)}/`];
    return type === 'message_delta' || type === 'message_stop' || type === 'error' ? [''] : [];
  },
  responses: (event) => {
    const type = typeof event['type'] === 'string' ? event['type'] : '';
    if (type === 'response.output_item.done') return [`${String(event['output_index'])}/`];
    if (/^(?:response\.(?:completed|incomplete|failed)|error)$/.test(type)) return [''];
    return type.endsWith('.done') ? [nameItemText(type, event)] : [];
  },
};

function parseEvent(data: string): Event | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Event) : undefined;
  } catch {
    return undefined; // no words that anybody could read
  }
}
