import type { ImageRequest } from '@weir/canonical';
import { createSandboxProvider, type Provider, type ImageLane } from '@weir/providers';
import OpenAI, { toFile } from 'openai';
import sharp from 'sharp';
import { crc32 } from 'node:zlib';
import { startMediaHarness, type HarnessOptions, type MediaHarness } from '../media/__fixtures__/media-harness';

let harness: MediaHarness;
const open = async (options?: HarnessOptions): Promise<void> => {
  harness = await startMediaHarness(options);
};
afterEach(() => harness.stop());

const client = (model: string): OpenAI => new OpenAI({ apiKey: 'k', baseURL: `${harness.url}/v1`, defaultQuery: { model }, maxRetries: 0 });
const inspect = (base64: string | undefined) => sharp(Buffer.from(base64 ?? '', 'base64')).metadata();
const drawPng = (width: number, height: number, alpha = 1): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha } } })
    .png()
    .toBuffer();
const send = (path: string, body: object): Promise<Response> =>
  fetch(`${harness.url}${path}?model=sandbox/image`, { method: 'POST', body: JSON.stringify(body) });
const post = async (path: string, body: object): Promise<{ status: number; field?: string; code?: string }> => {
  const response = await send(path, body);
  return { status: response.status, ...((await response.json()) as object) };
};

describe('making pictures', () => {
  it('splits a number of pictures over calls, and charges them as one', async () => {
    await open();
    const { data, response } = await client('sandbox/image')
      .images.generate({ model: 'sandbox/image', prompt: 'a red kite', n: 5, size: '128x192' })
      .withResponse();
    expect(data.data).toHaveLength(5);
    expect(await inspect(data.data?.[4]?.b64_json)).toMatchObject({ format: 'png', width: 128, height: 192 });
    expect(new Set(data.data?.map(({ b64_json }) => b64_json)).size).toBeGreaterThan(1);
    expect(data.usage).toMatchObject({ input_tokens: 0, output_tokens: 0, cost: 0.05 });
    expect(response.headers.get('x-weir-cost')).toBe('0.05');
    expect(harness.events).toMatchObject([
      { modality: 'image', units: { images: 5 }, cost_p: '50000000000', unit_source: 'tokenizer', status: 'ok' },
    ]);
    expect(harness.begun).toHaveLength(1);
  });

  it('makes as many pictures as fit into a reply, in as many calls as it takes', async () => {
    await open();
    const { data, usage } = await client('sandbox/image').images.generate({ model: 'sandbox/image', prompt: 'x', n: 23, size: '16x16' });
    expect([data?.length, new Set(data?.map(({ b64_json: picture }) => picture)).size > 1]).toEqual([23, true]);
    expect(usage).toMatchObject({ cost: 0.23 });
    expect(harness.events).toMatchObject([{ units: { images: 23 }, cost_p: '230000000000', status: 'ok' }]);
  });

  it('charges tokens by their kind', async () => {
    await open();
    const made = await client('sandbox/image-tokens').images.generate({
      ...{ model: 'sandbox/image-tokens', prompt: 'two words', size: '512x512', quality: 'low' },
      ...{ output_format: 'webp', background: 'transparent' },
    });
    const facts = await inspect(made.data?.[0]?.b64_json);
    expect(facts).toMatchObject({ format: 'webp', hasAlpha: true });
    expect(made).toMatchObject({ output_format: 'webp', background: 'transparent', quality: 'low', size: '512x512' });
    expect(made.usage).toMatchObject({ input_tokens: 2, output_tokens: 68, total_tokens: 70, cost: 0.00273 });
    expect(harness.events[0]).toMatchObject({
      units: { in: 2, out: 68, image_out: 68, images: 1 },
      unit_source: 'provider',
      cost_p: '2730000000',
    });
  });

  it('returns a signed address that expires, where one is asked for', async () => {
    await open();
    const made = await client('sandbox/image').images.generate({
      model: 'sandbox/image',
      prompt: 'x',
      size: '256x256',
      response_format: 'url',
      output_format: 'jpeg',
    });
    const url = new URL(made.data?.[0]?.url ?? '');
    const id = url.pathname.split('/')[3] ?? '';
    expect(made.data?.[0]?.b64_json).toBeUndefined();
    expect([...url.searchParams.keys()]).toEqual(['expires', 'signature']);
    const record = await harness.blobs.find('org', id);
    expect(record).toMatchObject({ kind: 'result', type: 'image/jpeg' });
    expect(await harness.blobs.find('other', id)).toBeUndefined();
  });

  it('says that a reply with an address is not to be kept, as a stream too', async () => {
    await open();
    for (const [more, kept] of [
      [{ response_format: 'url' }, 'no-store'],
      [{ response_format: 'url', stream: true }, 'no-store'],
      [{ stream: true }, 'no-cache'],
      [{}, null],
    ] as const) {
      const reply = await send('/v1/images/generations', { model: 'sandbox/image', prompt: 'x', size: '256x256', ...more });
      expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, kept]);
      await reply.arrayBuffer();
    }
  });

  it('shows a picture in the making, and one event at a provider that does not', async () => {
    await open();
    for (const [model, partials] of [
      ['sandbox/image-tokens', 2],
      ['sandbox/image', 0],
    ] as const) {
      const stream = await client(model).images.generate({ model, prompt: 'a b', stream: true, partial_images: 2, size: '256x256' });
      const seen: string[] = [];
      for await (const event of stream) {
        seen.push(event.type);
        expect((await inspect(event.b64_json)).width).toBe(256);
        if (event.type === 'image_generation.completed') expect(event.usage).toMatchObject({ cost: expect.any(Number) });
      }
      expect(seen).toEqual([...Array<string>(partials).fill('image_generation.partial_image'), 'image_generation.completed']);
    }
    expect(harness.events.map(({ cost_p: cost }) => cost)).toEqual(['2650000000', '10000000000']);
  });

  it('charges a picture in the making once, whole, when no one waits for it any more', async () => {
    await open();
    const ended = harness.nextEvent();
    const controller = new AbortController();
    const stream = await client('sandbox/image-tokens').images.generate(
      { model: 'sandbox/image-tokens', prompt: 'a b !gap 20', stream: true, partial_images: 3, size: '256x256' },
      { signal: controller.signal },
    );
    for await (const event of stream) {
      expect(event.type).toBe('image_generation.partial_image');
      break;
    }
    controller.abort();
    expect(await ended).toMatchObject({ units: { out: 66 }, unit_source: 'provider' });
    expect(harness.events).toHaveLength(1);
  });

  it('passes a provider failure on and charges nothing', async () => {
    await open();
    await expect(client('sandbox/image').images.generate({ model: 'sandbox/image', prompt: 'x !status 429' })).rejects.toMatchObject({
      status: 429,
    });
    expect(harness.events).toMatchObject([{ status: 'upstream_error', http_status: 429, cost_p: '0', logical: true }]);
  });

  it.each<[string, object, string]>([
    ['no prompt', { prompt: '' }, 'prompt'],
    ['no text', { prompt: 7 }, 'prompt'],
    ['too many', { n: 101 }, 'n'],
    ['none', { n: 0 }, 'n'],
    ['half a picture', { n: 1.5 }, 'n'],
    ['a size that is none', { size: 'huge' }, 'size'],
    ['transparent and jpeg', { background: 'transparent', output_format: 'jpeg' }, 'background'],
    ['compressed png', { output_compression: 50 }, 'output_compression'],
    ['a format that is none', { output_format: 'gif' }, 'output_format'],
    ['too many steps', { partial_images: 4 }, 'partial_images'],
    ['a stream that is none', { stream: 'yes' }, 'stream'],
    ['a quality that is none', { quality: ['high'] }, 'quality'],
    ['an answer that is none', { response_format: 'json' }, 'response_format'],
  ])('refuses %s, naming the field', async (_what, fields, field) => {
    await open();
    expect(await post('/v1/images/generations', { model: 'sandbox/image', prompt: 'x', ...fields })).toMatchObject({ status: 400, field });
    expect(harness.begun).toEqual([]);
  });

  it('converts a reply in another format, and reports what is lost otherwise', async () => {
    const jpeg = (
      await sharp(await drawPng(64, 64))
        .jpeg()
        .toBuffer()
    ).toString('base64');
    const asked: ImageRequest[] = [];
    const images: ImageLane = {
      countMax: () => 1,
      encodeRequest: (request, _target, losses) => {
        asked.push(request);
        losses.dropped.add('output_format');
        losses.dropped.add('style');
        return { path: '/embeddings', body: { kind: 'json', text: JSON.stringify({ model: 'embedding', input: 'x' }) } };
      },
      decodeReply: () => ({ created: 1, images: [{ base64: jpeg }], usage: null, facts: {} }),
    };
    await open({ provider: { ...createSandboxProvider(), images } as Provider });
    const { data, response } = await client('sandbox/image')
      .images.generate({ model: 'sandbox/image', prompt: 'x', style: 'vivid', output_format: 'webp', n: 2 })
      .withResponse();
    expect(await inspect(data.data?.[0]?.b64_json)).toMatchObject({ format: 'webp', width: 64 });
    expect([data.output_format, data.data?.length, asked.map(({ count }) => count)]).toEqual(['webp', 2, [1, 1]]);
    expect(response.headers.get('x-weir-dropped')).toBe('style');
  });
});

describe('editing pictures', () => {
  it('takes one file, several, and a mask of the same size', async () => {
    await open();
    const [first, second, mask] = await Promise.all([drawPng(80, 60), drawPng(40, 40), drawPng(80, 60, 0.5)]);
    const image = [await toFile(first, 'a.png', { type: 'image/png' }), await toFile(second, 'b.png', { type: 'image/png' })];
    const { images } = client('sandbox/image-tokens');
    const made = await images.edit({
      model: 'sandbox/image-tokens',
      prompt: 'bluer',
      image,
      mask: await toFile(mask, 'm.png'),
      size: '256x256',
    });
    expect(await inspect(made.data?.[0]?.b64_json)).toMatchObject({ format: 'png', width: 256 });
    expect(made.usage).toMatchObject({ input_tokens_details: { text_tokens: 1, image_tokens: 200 }, cost: 0.004645 });
    const stream = await images.edit({
      model: 'sandbox/image-tokens',
      prompt: 'bluer',
      image: image[0] as File,
      stream: true,
      partial_images: 1,
      size: '256x256',
    });
    const seen: string[] = [];
    for await (const event of stream) seen.push(event.type);
    expect(seen).toEqual(['image_edit.partial_image', 'image_edit.completed']);
  });

  it('takes pictures named in JSON: as data, and by the id of a file', async () => {
    await open();
    const png = await drawPng(30, 30);
    const kept = await harness.blobs.put({
      organizationId: 'org',
      kind: 'file',
      name: 'a.png',
      type: 'image/png',
      expiresAtMs: Date.now() + 60_000,
      bytes: png,
    });
    const images = [{ image_url: `data:image/png;base64,${png.toString('base64')}` }, { file_id: kept.id }];
    const response = await fetch(`${harness.url}/v1/images/edits?model=sandbox/image-tokens`, {
      method: 'POST',
      body: JSON.stringify({ model: 'sandbox/image-tokens', prompt: 'x', images, quality: 'low', size: '256x256' }),
    });
    expect(await response.json()).toMatchObject({ usage: { input_tokens: 201, output_tokens: 17 } });
  });

  const dataUrl = async (width: number, height: number): Promise<{ image_url: string }> => ({
    image_url: `data:image/png;base64,${(await drawPng(width, height)).toString('base64')}`,
  });

  it.each<[string, object, string]>([
    ['no images', {}, 'images'],
    ['an empty list', { images: [] }, 'images'],
    ['both at once', { images: [{ image_url: 'https://a.example/a.png', file_id: 'file-1' }] }, 'images[0]'],
    ['neither', { images: [{}] }, 'images[0]'],
    ['a list in a list', { images: [[]] }, 'images[0]'],
    ['a private address', { images: [{ image_url: 'http://127.0.0.1/a.png' }] }, 'images[0].image_url'],
    ['a file that is not there', { images: [{ file_id: 'file-aaaaaaaaaaaaaaaaaaaaaaaa' }] }, 'images[0].file_id'],
    ['data that is none', { images: [{ image_url: 'data:image/png;base64,!!!' }] }, 'images[0].image_url'],
    [
      'data of something else',
      { images: [{ image_url: `data:image/png;base64,${Buffer.from('hello').toString('base64')}` }] },
      'images[0]',
    ],
    ['seventeen', { images: Array.from({ length: 17 }, () => ({ file_id: 'file-1' })) }, 'images'],
  ])('refuses %s, naming the field', async (_what, fields, field) => {
    await open();
    expect(await post('/v1/images/edits', { model: 'sandbox/image', prompt: 'x', ...fields })).toMatchObject({ status: 400, field });
  });

  it('refuses a mask of another size, and one without transparency', async () => {
    await open();
    const images = [await dataUrl(30, 30)];
    const ask = (mask: object) => post('/v1/images/edits', { model: 'sandbox/image', prompt: 'x', images, mask });
    expect(await ask(await dataUrl(31, 30))).toMatchObject({ status: 400, field: 'mask' });
    const opaque = await sharp(await drawPng(30, 30))
      .removeAlpha()
      .png()
      .toBuffer();
    expect(await ask({ image_url: `data:image/png;base64,${opaque.toString('base64')}` })).toMatchObject({ status: 400, field: 'mask' });
  });

  it('refuses a small file that unfolds into a huge picture, unseen', async () => {
    await open();
    const bomb = await drawPng(1, 1);
    bomb.writeUInt32BE(50_000, 16);
    bomb.writeUInt32BE(50_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    const images = [{ image_url: `data:image/png;base64,${bomb.toString('base64')}` }];
    expect(await post('/v1/images/edits', { model: 'sandbox/image', prompt: 'x', images })).toMatchObject({
      status: 400,
      field: 'images[0]',
    });
  });

  it('says which of several pictures cannot be read, and what an address of data looks like', async () => {
    await open();
    const edit = (...images: object[]) => post('/v1/images/edits', { model: 'sandbox/image', prompt: 'x', images });
    const sound = await dataUrl(2, 2);
    expect(await edit(sound, { image_url: 'data:image/png;base64,aGVsbG8=' })).toMatchObject({ status: 400, field: 'images[1]' });
    const refused = await edit(sound, { image_url: 'data:text/plain;base64,aGVsbG8=' });
    expect(refused).toMatchObject({ status: 400, field: 'images[1].image_url', message: expect.stringContaining('data:image/') as string });
  });

  it('takes data whose media type has parameters', async () => {
    await open();
    const { image_url: url } = await dataUrl(2, 2);
    const images = [{ image_url: url.replace(';base64', ';name=a.png;base64') }];
    expect((await post('/v1/images/edits', { model: 'sandbox/image', prompt: 'x', images, size: '64x64' })).status).toBe(200);
  });
});
