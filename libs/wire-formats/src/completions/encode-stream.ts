import { createChunkStream, type ChoiceEvent } from '../chat-completions/chunk-stream';
import { CALLS_DROPPED } from '../chat-completions/encode-finish';
import type { ChatStreamEncoder, ReplyContext } from '../dialect/wire-format';
import { CITATIONS_DROPPED } from '../reply/locate-citation';
import { nameOpaque } from '../reply/name-opaque';
import { PICTURES_DROPPED } from '../reply/read-picture';
import { noteFinish } from '../reply/note-finish';
import { encodeTextChoice, encodeTextHead, REASONING_DROPPED, SEARCHES_DROPPED } from './encode-text';

/** Chunks of the older completions dialect: whole objects, each with a piece of the text. */
export function createTextStreamEncoder(context: ReplyContext): ChatStreamEncoder {
  let head = '';

  const chunk = (...[index, text, finish]: Parameters<typeof encodeTextChoice>): string =>
    `${head}"choices":[${JSON.stringify(encodeTextChoice(index, text, finish))}]}\n\n`;

  return createChunkStream(context, {
    describe: (start) => encodeTextHead(start, context),
    begin(opening) {
      head = opening;
      return '';
    },
    encode(event) {
      if (event.type === 'finish') {
        noteFinish(event.finish, 'chat', context.noteDropped);
        return chunk(event.choice, '', event.finish);
      }
      if (event.type === 'text-delta' || event.type === 'refusal-delta') {
        return event.text === '' ? '' : chunk(event.choice, event.text, null);
      }
      noteLoss(event, context.noteDropped);
      return '';
    },
  });
}

/** What the dialect has no word for. */
const LOSSES: Partial<Record<ChoiceEvent['type'], string>> = {
  'reasoning-delta': REASONING_DROPPED,
  'tool-call-start': CALLS_DROPPED,
  'web-search-start': SEARCHES_DROPPED,
  citation: CITATIONS_DROPPED,
  image: PICTURES_DROPPED,
};

function noteLoss(event: ChoiceEvent, noteDropped: ReplyContext['noteDropped']): void {
  const loss = event.type === 'opaque' ? nameOpaque(event.content) : LOSSES[event.type];
  if (loss !== undefined) noteDropped?.(loss);
}
