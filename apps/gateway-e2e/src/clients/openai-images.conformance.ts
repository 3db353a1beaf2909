import OpenAI, { toFile } from 'openai';
import sharp from 'sharp';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';
import { priceByHand, usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';

type Priced = OpenAI.ImagesResponse & { usage?: { cost?: number } };

const BY_TOKENS = 'sandbox/image-tokens';
const BY_PICTURE = 'sandbox/image';
const SIZE = '256x256';

/** Pictures made and edited by the official client. */
export function describeOpenaiImages(open: OpenClientHarness): void {
  let harness: ClientHarness;
  let images: OpenAI.Images;
  let requests = 0;

  beforeAll(async () => {
    harness = await open();
    ({ images } = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 }));
  });
  afterAll(() => harness.stop());

  const inspect = (base64: string | undefined) => sharp(Buffer.from(base64 ?? '', 'base64')).metadata();
  const drawPng = (alpha: number) =>
    sharp({ create: { width: 40, height: 30, channels: 4, background: { r: 20, g: 90, b: 200, alpha } } })
      .png()
      .toBuffer();

  it.each(['png', 'jpeg', 'webp'] as const)('are made as %s of the size asked for', async (format) => {
    requests += 1;
    const ask = { model: BY_TOKENS, prompt: 'a red kite', size: SIZE, quality: 'low', output_format: format } as const;
    const made = (await images.generate(ask)) as Priced;
    expect(await inspect(made.data?.[0]?.b64_json)).toMatchObject({ format, width: 256, height: 256 });
    expect(made).toMatchObject({ output_format: format, size: SIZE, quality: 'low', usage: { input_tokens: 3, output_tokens: 17 } });
    expect(usdText(made.usage?.cost)).toBe(
      priceByHand([
        [3, '5'],
        [17, '40'],
      ]),
    );
  });

  it('are made by the picture, several at a time, without a ground', async () => {
    requests += 1;
    const made = (await images.generate({ model: BY_PICTURE, prompt: 'x', n: 5, size: SIZE, background: 'transparent' })) as Priced;
    expect(made.data).toHaveLength(5);
    expect((await inspect(made.data?.[0]?.b64_json)).hasAlpha).toBe(true);
    expect(usdText(made.usage?.cost)).toBe('0.05');
  });

  it('can be fetched by an address without a key, and by no other', async () => {
    requests += 1;
    const made = await images.generate({ model: BY_PICTURE, prompt: 'x', size: SIZE, response_format: 'url', output_format: 'jpeg' });
    const url = made.data?.[0]?.url ?? '';
    const reply = await fetch(url);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(await sharp(Buffer.from(await reply.arrayBuffer())).metadata()).toMatchObject({ format: 'jpeg', width: 256 });
    expect((await fetch(url.replace(/signature=./, 'signature=_'))).status).toBe(403);
  });

  it('are edited: one, or several with a mask', async () => {
    requests += 2;
    const [first, mask] = [await drawPng(1), await drawPng(0.5)];
    const one = (await images.edit({ model: BY_TOKENS, prompt: 'bluer', image: await toFile(first, 'a.png'), size: SIZE })) as Priced;
    expect(await inspect(one.data?.[0]?.b64_json)).toMatchObject({ width: 256 });
    const image = [await toFile(first, 'a.png'), await toFile(first, 'b.png')];
    const two = (await images.edit({ model: BY_TOKENS, prompt: 'bluer', image, mask: await toFile(mask, 'm.png'), size: SIZE })) as Priced;
    expect([one.usage, two.usage]).toMatchObject([
      { input_tokens_details: { text_tokens: 1, image_tokens: 100 } },
      { input_tokens_details: { text_tokens: 1, image_tokens: 200 } },
    ]);
  });

  it('are shown in the making', async () => {
    requests += 1;
    const seen: string[] = [];
    const stream = await images.generate({ model: BY_TOKENS, prompt: 'x', size: SIZE, stream: true, partial_images: 2 });
    for await (const event of stream) {
      seen.push(event.type);
      expect(await inspect(event.b64_json)).toMatchObject({ format: 'png', width: 256 });
    }
    expect(seen).toEqual(['image_generation.partial_image', 'image_generation.partial_image', 'image_generation.completed']);
  });

  it('are refused naming the field, before anything is charged', async () => {
    for (const [more, message] of [
      [{ n: 0 }, /^400 n must/],
      [{ background: 'transparent', output_format: 'jpeg' }, /^400 background can/],
      [{ size: 'huge' as '256x256' }, /^400 size must/],
    ] as const) {
      await expect(images.generate({ model: BY_PICTURE, prompt: 'x', ...more })).rejects.toThrow(message);
    }
  });

  it('are counted as requests for images', async () => {
    expect(await waitForRequests(harness, requests)).toMatchObject({ image_requests: requests, total_requests: requests });
  });
}
