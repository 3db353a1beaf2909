import type { ChatDialect } from '@weir/contracts';
import { splitFrame } from '../frames/edit-nested';
import { parseFrameData } from '../frames/parse-frame-data';
import { splitFrames } from '../frames/split-frames';

type Data = {
  type?: unknown;
  item?: { type?: unknown } | null;
  content_block?: { type?: unknown; text?: unknown } | null;
  choices?: unknown;
};
type Choice = { delta?: Record<string, unknown> | null; finish_reason?: unknown } | null;

/**
 * What a reply of each dialect opens with before anything of its content came: it says that a provider has begun, not that it goes on.
 * Reasoning that has begun is content, also where nothing of it is shown.
 */
const IS_OPENING: Readonly<Record<ChatDialect, (data: Data) => boolean>> = {
  'chat-completions': ({ choices }) => Array.isArray(choices) && choices.every(isEmptyChoice),
  responses: ({ type, item }) =>
    type === 'response.created' ||
    type === 'response.in_progress' ||
    type === 'response.queued' ||
    type === 'response.content_part.added' ||
    type === 'keepalive' ||
    (type === 'response.output_item.added' && item?.type === 'message'),
  messages: ({ type, content_block: block }) =>
    type === 'message_start' || type === 'ping' || (type === 'content_block_start' && block?.type === 'text' && !block.text),
};

/** Whether whole frames hold the first content of a reply: what cannot be read is taken for content, as it is passed on. */
export function holdsContent(frames: string, dialect: ChatDialect): boolean {
  return splitFrames(frames).some((frame) => {
    const parts = splitFrame(frame);
    if (parts === undefined) return false;
    const data = parseFrameData<Data>(parts.data);
    return data === undefined || !IS_OPENING[dialect](data);
  });
}

function isEmptyChoice(choice: unknown): boolean {
  const { delta, finish_reason: finish } = (choice as Choice) ?? {};
  return !finish && Object.entries(delta ?? {}).every(([name, value]) => name === 'role' || isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
