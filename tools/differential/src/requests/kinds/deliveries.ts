import { say } from '../../upstream/replies';
import type { Content, Delivery } from '../../upstream/reply';
import type { Kind } from '../request';
import { ask, nameOf, streamed, WAYS } from './bodies';

const TEXT: Content = { text: 'One two “three” — four, five six\nseven 🌅 eight nine ten eleven twelve.' };

/** How frames reach the gateway, and what else may be in a stream. */
const DELIVERIES: Readonly<Record<string, Delivery>> = {
  bytes: { split: 'bytes' },
  halves: { split: 'halves' },
  threes: { split: 'threes' },
  all: { split: 'all' },
  crlf: { lineEnd: '\r\n' },
  'crlf-bytes': { lineEnd: '\r\n', split: 'bytes' },
  comments: { hasComments: true },
  'comments-all': { hasComments: true, split: 'all' },
  'no-end': { hasNoEnd: true },
};

/** Every way, with frames that come in every manner, and usage asked or not. */
export const DELIVERY_KINDS: readonly Kind[] = WAYS.flatMap((way) =>
  Object.entries(DELIVERIES).map(([name, delivery]): Kind => ({
    id: `delivery:${name}:${nameOf(way)}`,
    isIndependent: true,
    weight: 0.7,
    make: ({ mark, count, random }) => {
      const [shape, model] = way;
      const content: Content = { ...TEXT, hasNullUsage: random() < 0.5, ...(random() < 0.2 ? { usage: 'none' } : {}) };
      return [ask(shape, model, mark, { more: streamed(shape, count % 2 === 0), replies: [say(content, delivery)] })];
    },
  })),
);
