import type { ImageRequest } from '@weir/canonical';
import sharp from 'sharp';
import { buildFile, buildImageRequest, buildReply, buildSent, sayMedia } from '../../__fixtures__/build-media';
import { buildTarget } from '../../__fixtures__/build-target';
import { toEncodedCall } from '../../provider/media-provider';
import { createImageLane } from './images';
import { openConverseProvider } from './index';

const lane = createImageLane(() => ({ baseUrl: 'https://here.example' }));
const SD3 = 'stability.sd3-5-large-v1:0';
const CORE = 'stability.stable-image-core-v1:0';
const NOVA = 'us.amazon.nova-canvas-v1:0';
const TITAN = 'amazon.titan-image-generator-v2';
const IMAGE = buildFile('image/png', Buffer.from('hello'));
const draw = (request: Partial<ImageRequest>, model: string) => sayMedia(lane, buildImageRequest(request), model);
const look = async (body: unknown, model: string) => lane.decodeReply(buildReply(body), buildSent(buildImageRequest(), model));
const drawnMask = async () =>
  buildFile(
    'image/png',
    await sharp({ create: { width: 1, height: 1, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer(),
  );
const code = (name: string) => expect.objectContaining({ code: name }) as Error;

describe('pictures by invoking a model of one maker', () => {
  it('name the task where the model needs it, and a shape', async () => {
    expect(await draw({ size: '1536x1024', outputFormat: 'jpeg', quality: 'high', unmapped: { seed: '3', strength: 0.4 } }, SD3)).toEqual({
      baseUrl: 'https://here.example',
      path: '/model/stability.sd3-5-large-v1%3A0/invoke',
      body: { prompt: 'a boat', output_format: 'jpeg', seed: 3, mode: 'text-to-image', aspect_ratio: '3:2' },
      dropped: ['quality', 'strength'],
      approximated: ['size'],
    });
    expect(await draw({ outputFormat: 'webp' }, CORE)).toMatchObject({ body: { prompt: 'a boat' }, dropped: ['output_format'] });
    expect(lane.countMax(buildTarget(SD3))).toBe(1);
  });

  it('start from a picture where the model can', async () => {
    expect(await draw({ images: [IMAGE], size: '1024x1024', unmapped: { strength: '0.4' } }, SD3)).toMatchObject({
      body: { prompt: 'a boat', mode: 'image-to-image', strength: 0.4, image: 'aGVsbG8=' },
      dropped: ['size'],
      approximated: ['image'],
    });
    expect((await draw({ images: [IMAGE] }, 'stability.stable-image-ultra-v1:0')).body).toEqual({
      prompt: 'a boat',
      strength: 0.7,
      image: 'aGVsbG8=',
    });
    await expect(draw({ images: [IMAGE] }, CORE)).rejects.toMatchObject({ details: { field: 'image' } });
    await expect(draw({ images: [IMAGE, IMAGE] }, SD3)).rejects.toMatchObject({ details: { field: 'image' } });
    await expect(draw({ images: [IMAGE], mask: IMAGE }, SD3)).rejects.toMatchObject({ details: { field: 'mask' } });
  });

  it('change what a mask marks where that is the model’s work', async () => {
    const INPAINT = 'us.stability.stable-image-inpaint-v1:0';
    const { body } = await draw({ images: [IMAGE], mask: await drawnMask() }, INPAINT);

    expect(body).toEqual({ prompt: 'a boat', image: 'aGVsbG8=', mask: expect.stringMatching(/^iVBOR/) as string });
    await expect(draw({ images: [IMAGE] }, INPAINT)).rejects.toMatchObject({ details: { field: 'image' } });
    await expect(draw({}, INPAINT)).rejects.toMatchObject({ details: { field: 'model' } });
    expect(
      (await draw({ images: [IMAGE], unmapped: { control_strength: 0.5 } }, 'stability.stable-image-control-sketch-v1:0')).body,
    ).toEqual({
      prompt: 'a boat',
      control_strength: 0.5,
      image: 'aGVsbG8=',
    });
  });

  it('come as base64, or with the reason why not', async () => {
    expect(await look({ seeds: [1], finish_reasons: [null], images: ['aGVsbG8='] }, SD3)).toMatchObject({
      images: [{ base64: 'aGVsbG8=' }],
      usage: { images: 1 },
    });
    await expect(look({ finish_reasons: ['Filter reason: prompt'] }, SD3)).rejects.toMatchObject({
      code: 'provider_content_filtered',
      message: 'Filter reason: prompt',
    });
    await expect(look({ finish_reasons: ['Inference error'], images: [''] }, SD3)).rejects.toThrow(code('provider_failed'));
    await expect(look({ images: [] }, SD3)).rejects.toThrow(code('provider_unreadable'));
  });
});

describe('pictures by invoking a model of the service’s own', () => {
  it('are asked for several at a time, in the size asked for where there is one', async () => {
    expect(
      await draw({ count: 2, size: '1536x1024', quality: 'high', unmapped: { negative_prompt: 'cars', cfg_scale: 7 } }, NOVA),
    ).toMatchObject({
      path: '/model/us.amazon.nova-canvas-v1%3A0/invoke',
      body: {
        taskType: 'TEXT_IMAGE',
        textToImageParams: { text: 'a boat', negativeText: 'cars' },
        imageGenerationConfig: { numberOfImages: 2, quality: 'premium', width: 1536, height: 1024, cfgScale: 7 },
      },
      dropped: [],
      approximated: [],
    });
    expect(await draw({ size: '1536x1024', quality: 'low', outputFormat: 'webp' }, TITAN)).toMatchObject({
      body: { imageGenerationConfig: { quality: 'standard', width: 1152, height: 768 } },
      dropped: ['output_format'],
      approximated: ['quality', 'size'],
    });
    expect((await draw({ size: '100x1000' }, NOVA)).body).toMatchObject({ imageGenerationConfig: { width: 320, height: 1008 } });
    expect(lane.countMax(buildTarget(NOVA))).toBe(5);
  });

  it('are made like those given, or changed inside a mask', async () => {
    const varied = await draw({ images: [IMAGE, IMAGE] }, NOVA);
    const masked = await draw({ images: [IMAGE], mask: await drawnMask(), size: '512x512' }, TITAN);

    expect(varied).toMatchObject({
      body: { taskType: 'IMAGE_VARIATION', imageVariationParams: { text: 'a boat', images: ['aGVsbG8=', 'aGVsbG8='] } },
      approximated: ['image'],
    });
    expect(masked).toMatchObject({
      body: {
        taskType: 'INPAINTING',
        inPaintingParams: { text: 'a boat', image: 'aGVsbG8=', maskImage: expect.stringMatching(/^iVBOR/) as string },
        imageGenerationConfig: { numberOfImages: 1 },
      },
      dropped: ['size'],
    });
    await expect(draw({ images: Array<typeof IMAGE>(6).fill(IMAGE) }, NOVA)).rejects.toMatchObject({ details: { field: 'image' } });
  });

  it('come as base64, or with the reason why not', async () => {
    expect(await look({ images: ['aGVsbG8=', 'aGVsbG8='], error: 'one was held back' }, NOVA)).toMatchObject({
      images: [{ mediaType: 'image/png' }, { mediaType: 'image/png' }],
      usage: { images: 2 },
    });
    await expect(look({ error: 'blocked by our filters' }, NOVA)).rejects.toMatchObject({
      code: 'provider_content_filtered',
      message: 'blocked by our filters',
    });
    await expect(look({}, NOVA)).rejects.toThrow(code('provider_unreadable'));
  });

  it('are not made by models that no one knows', async () => {
    await expect(draw({}, 'acme.painter-v1')).rejects.toMatchObject({ code: 'unsupported_field', details: { field: 'model' } });
  });
});

it('are asked for in the region of the attempt, with a signature over the body', async () => {
  const env: Record<string, string> = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-west-1' };
  const provider = openConverseProvider(
    (name) => env[name],
    () => Promise.reject(new Error('no network here')),
  );
  const call = await provider?.images?.encodeRequest(buildImageRequest(), buildTarget(NOVA), {
    dropped: new Set(),
    approximated: new Set(),
  });
  if (call === undefined) throw new Error('there is no lane');

  expect(call.baseUrl).toBe('https://bedrock-runtime.us-east-1.amazonaws.com');
  expect(await provider?.authorize(toEncodedCall(call), buildTarget(NOVA))).toMatchObject({
    authorization: expect.stringMatching(/us-east-1\/bedrock\/aws4_request/) as string,
  });
});
