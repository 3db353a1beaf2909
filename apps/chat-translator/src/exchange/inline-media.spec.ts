import type { ChatRequest, ContentBlock, MediaSource } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { ClientGone } from '@weir/exchange';
import type { MediaQuestion } from '@weir/guarded-fetch';
import { NO_ADDRESSES, type Provider, type FetchedAddresses, type ProviderTarget } from '@weir/providers';
import { Readable } from 'node:stream';
import type { ChatSession } from '../session/chat-session';
import { createMediaInliner, type InlinedRequest } from './inline-media';

const image = (url: string, field = 'messages[0].content[0].image_url.url'): ContentBlock => ({
  type: 'image',
  source: { kind: 'url', url, field },
});

type Asking = {
  readonly content?: readonly ContentBlock[];
  readonly fetched?: FetchedAddresses;
  readonly text?: string;
  readonly isSameDialect?: boolean;
  readonly bytesMax?: number;
  readonly answer?: (question: MediaQuestion) => Promise<Buffer>;
};

/** A session, a provider and a fetcher that returns the address itself as the file; the addresses it was asked for are kept. */
function prepare({ content = [], fetched, text = '{}', isSameDialect = false, bytesMax = 1000, answer }: Asking) {
  const questions: MediaQuestion[] = [];
  const leave: (() => void)[] = [];
  const session = {
    dialect: 'chat-completions',
    body: { text },
    signal: new AbortController().signal,
    asked: (): ChatRequest => ({ model: 'm', stream: false, turns: [{ role: 'user', content }] }),
    onClientGone: (listener: () => void) => leave.push(listener),
    forwarded: { passport: { caller: { organizationId: 'org' } } },
  } as unknown as ChatSession;
  const provider = {
    express: isSameDialect ? { dialect: 'chat-completions' } : null,
    codec: {},
    ...(fetched === undefined ? {} : { fetchedAddresses: () => fetched }),
  } as unknown as Provider;
  const inlineMedia = createMediaInliner({
    bytesMax,
    fetcher: {
      open: async (question) => {
        questions.push(question);
        const bytes = (await answer?.(question)) ?? Buffer.from(question.url);
        return { mediaType: 'image/png', contentLength: null, body: Readable.from([bytes]) };
      },
    },
  });
  return {
    questions,
    inline: async () => inlineMedia(session, { provider, target: {} as ProviderTarget }),
    leave: () => leave.forEach((listener) => listener()),
  };
}

const sourcesOf = (inlined: InlinedRequest | undefined): (MediaSource | undefined)[] | undefined =>
  inlined?.asked.turns[0]?.content.map((block) => ('source' in block ? block.source : undefined));
const base64 = (text: string): MediaSource => ({
  ...{ kind: 'base64', mediaType: 'image/png', data: Buffer.from(text).toString('base64') },
  field: expect.any(String) as string,
});

describe('what is fetched', () => {
  it('is each address once, for whom it is asked, with the field at fault', async () => {
    const { inline, questions } = prepare({
      content: [image('http://a/1.png'), image('http://a/1.png', 'second'), { type: 'text', text: 'hi' }, image('http://a/2.png', 'third')],
      fetched: NO_ADDRESSES,
    });

    const inlined = await inline();

    expect(sourcesOf(inlined)).toEqual([base64('http://a/1.png'), base64('http://a/1.png'), undefined, base64('http://a/2.png')]);
    expect(inlined?.promptTokens).toBe(3 * 1600);
    expect(questions.map(({ url, kind, owner, field }) => [url, kind, owner, field])).toEqual([
      ['http://a/1.png', 'image', 'org', 'messages[0].content[0].image_url.url'],
      ['http://a/2.png', 'image', 'org', 'third'],
    ]);
    await inline(); // a second attempt
    expect(questions.length).toBe(2);
  });

  it.each<[string, Asking]>([
    ['anything, for a provider that fetches itself', { content: [image('http://a/1.png')] }],
    ['what the provider fetches', { content: [image('https://a/1.png')], fetched: { image: ['https://'] } }],
    ['a kind the provider has no rule for', { content: [image('https://a/1.png')], fetched: { document: [] } }],
    ['addresses of storages', { content: [image('s3://bucket/1.png')], fetched: NO_ADDRESSES }],
    ['words', { content: [{ type: 'text', text: 'http://a/1.png' }], fetched: NO_ADDRESSES }],
  ])('is not %s', async (_what, asking) => {
    const { inline, questions } = prepare(asking);

    await expect(inline()).resolves.toBeUndefined();
    expect(questions).toEqual([]);
  });

  it.each<[string, FetchedAddresses, boolean]>([
    ['{"image_url":{"url": "http://a/1.png"}}', { image: [] }, true],
    ['{"image_url":"HTTPS://a/1.png"}', { image: [] }, true],
    ['{"text":"see \\"url\\" at http://a"}', { image: [] }, false],
    ['{"image_url":{"url":"http://a/1.png"}}', { image: ['https://'] }, false],
    ['{"image_url":{"url":"http://a/1.png"}}', { document: [] }, false],
    ['{"file_data":"https://a/1.pdf"}', { document: [] }, true],
  ])('of a body that may go on as it is, %s with %j, is looked for: %s', async (text, fetched, isFound) => {
    const { inline } = prepare({
      content: [image('http://a/1.png'), { type: 'document', source: { kind: 'url', url: 'https://a/1.pdf' } }],
      text,
      fetched,
      isSameDialect: true,
    });

    expect((await inline()) !== undefined).toBe(isFound);
  });
});

describe('what ends a request', () => {
  it('is more bytes than may be sent on, of all files together', async () => {
    const { inline } = prepare({
      content: [image('http://a/1.png', 'first'), image('http://a/2.png', 'second')],
      fetched: NO_ADDRESSES,
      answer: () => Promise.resolve(Buffer.alloc(600)),
    });

    await expect(inline()).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'second' } });
  });

  it('is more files than may be fetched', async () => {
    const content = Array.from({ length: 21 }, (_, index) => image(`http://a/${index}.png`, `messages[0].content[${index}]`));
    const { inline, questions } = prepare({ content, fetched: NO_ADDRESSES });

    await expect(inline()).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'messages[0].content[20]' } });
    expect(questions).toEqual([]);
  });

  it('is one file that cannot be had: the others are given up', async () => {
    const refused = new GatewayError('invalid_request', 'first could not be fetched.', { field: 'first' });
    const { inline, questions } = prepare({
      content: [image('http://a/1.png', 'first'), image('http://a/2.png', 'second')],
      fetched: NO_ADDRESSES,
      answer: ({ field }) => (field === 'first' ? Promise.reject(refused) : new Promise(() => undefined)),
    });

    await expect(inline()).rejects.toBe(refused);
    expect(questions[1]?.signal?.aborted).toBe(true);
  });

  it('is a caller who does not wait', async () => {
    const { inline, leave } = prepare({
      content: [image('http://a/1.png')],
      fetched: NO_ADDRESSES,
      answer: ({ signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })),
    });
    const inlining = inline();
    leave();

    await expect(inlining).rejects.toBeInstanceOf(ClientGone);
  });
});
