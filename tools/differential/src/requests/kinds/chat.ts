import { say } from '../../upstream/replies';
import type { Kind } from '../request';
import { MODELS, prompt, SHAPES, type ModelName, type ShapeName } from './bodies';

const shapes = Object.keys(SHAPES) as ShapeName[];
const models = Object.keys(MODELS) as ModelName[];

/** Every dialect to every provider, whole. */
const wholeKinds = shapes.flatMap((shape) =>
  models.map((model): Kind => ({
    id: `whole:${shape}:${model}`,
    isIndependent: true,
    make: ({ mark }) => [
      { key: 'four', path: SHAPES[shape].path, body: SHAPES[shape].body(MODELS[model], prompt(mark)), replies: [say()] },
    ],
  })),
);

/** Every dialect to every provider, streamed; usage is asked every second time. */
const streamKinds = shapes.flatMap((shape) =>
  models.map((model): Kind => ({
    id: `stream:${shape}:${model}`,
    isIndependent: true,
    make: ({ mark, count }) => {
      const asked = count % 2 === 0 && (shape === 'chat' || shape === 'legacy') ? { stream_options: { include_usage: true } } : {};
      const body = SHAPES[shape].body(MODELS[model], prompt(mark), { stream: true, ...asked });
      return [{ key: 'four', path: SHAPES[shape].path, body, replies: [say(undefined, { split: count % 3 === 2 ? 'all' : 'frames' })] }];
    },
  })),
);

export const CHAT_KINDS: readonly Kind[] = [...wholeKinds, ...streamKinds];
