import type { ImageFormat, ImageReply, ImageRequest, MadeImage } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { ClientGone, type WatchedRequest } from '@weir/exchange';
import { sniffMedia } from '@weir/guarded-fetch';
import sharp from 'sharp';
import type { MediaParts } from '../media/media-modality';

const PIXELS_MAX = 64_000_000;
const HEAD_CHARACTERS = 128;
const DATA_URL = /^data:[^,]*;base64,/i;

type FittedImages = {
  readonly images: readonly MadeImage[];
  /** What they really are; null when no one looked. */ readonly format: string | null;
};

/** Makes of a provider's pictures what the caller asked for: in the format asked for, by address or as base64. */
export async function fitImages(
  reply: ImageReply,
  asked: ImageRequest,
  place: { readonly request: WatchedRequest; readonly parts: MediaParts },
): Promise<FittedImages> {
  const images: MadeImage[] = [];
  let format: string | null = null;
  for (const image of reply.images) {
    const fitted = await fitImage(image, asked, place);
    format = fitted.format ?? format;
    images.push(fitted.image);
  }
  return { images, format };
}

type Fitted = { readonly image: MadeImage; readonly format: string | null };
type Place = { readonly request: WatchedRequest; readonly parts: MediaParts };

async function fitImage(image: MadeImage, asked: ImageRequest, place: Place): Promise<Fitted> {
  if (isFine(image, asked)) return { image, format: formatOf(image.mediaType) };
  const given = await readGiven(image, place);
  const found = formatOf(sniffMedia(given.head, 'image'));
  const converted = await convert(given.bytes, { from: found, asked });
  const format = converted === undefined ? found : (asked.outputFormat ?? null);
  const { url: _url, base64: _base64, ...rest } = image;
  if (asked.responseFormat !== 'url') return { image: { ...rest, base64: converted?.toString('base64') ?? given.base64() }, format };
  const picture = { bytes: converted ?? given.bytes(), type: `image/${format ?? 'png'}` };
  return { image: { ...rest, url: await place.parts.keepResult(picture, place.request) }, format };
}

/** A provider's own address that nothing has to be done to. */
function isFine({ url, mediaType }: MadeImage, { responseFormat, outputFormat }: ImageRequest): boolean {
  if (url === undefined || DATA_URL.test(url) || responseFormat === 'b64_json') return false;
  return outputFormat === undefined || outputFormat === formatOf(mediaType);
}

/** A picture as it came. Large ones are not turned from text to bytes and back for nothing. */
type Given = { readonly head: Buffer; bytes(): Buffer; base64(): string };

async function readGiven({ url, base64 }: MadeImage, place: Place): Promise<Given> {
  if (base64 === undefined && url !== undefined && !DATA_URL.test(url)) {
    const fetched = await fetchResult(url, place);
    return { head: fetched, bytes: () => fetched, base64: () => fetched.toString('base64') };
  }
  const text = base64 ?? url?.replace(DATA_URL, '') ?? '';
  const head = Buffer.from(text.slice(0, HEAD_CHARACTERS), 'base64');
  return { head, bytes: () => Buffer.from(text, 'base64'), base64: () => text };
}

/** The picture in the format asked for; undefined when it is in that format, or when none was asked for. */
async function convert(
  read: () => Buffer,
  { from, asked }: { readonly from: string | null; readonly asked: ImageRequest },
): Promise<Buffer | undefined> {
  const { outputFormat, outputCompression } = asked;
  if (outputFormat === undefined || outputFormat === from) return undefined;
  try {
    return await encode(sharp(read(), { limitInputPixels: PIXELS_MAX }), outputFormat, outputCompression);
  } catch (error) {
    throw unreadable(error);
  }
}

function encode(picture: sharp.Sharp, format: ImageFormat, compression: number | undefined): Promise<Buffer> {
  const quality = compression === undefined ? {} : { quality: Math.max(1, compression) };
  if (format === 'jpeg') return picture.flatten({ background: '#ffffff' }).jpeg(quality).toBuffer();
  if (format === 'webp') return picture.webp(quality).toBuffer();
  return picture.png().toBuffer();
}

/** Fetches what a provider made, from where it says. That it cannot be had is the provider's fault, not the caller's. */
async function fetchResult(url: string, { request, parts }: Place): Promise<Buffer> {
  const gone = new AbortController();
  request.onClientGone(() => gone.abort(new ClientGone()));
  const owner = request.forwarded.passport.caller.organizationId;
  try {
    const { body } = await parts.fetcher.open({ url, kind: 'image', field: 'url', owner, signal: gone.signal });
    const pieces: Buffer[] = [];
    for await (const piece of body) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  } catch (error) {
    if (error instanceof ClientGone) throw error;
    throw new GatewayError('provider_failed', 'The provider made a picture that could not be fetched from it. Try again.', {
      cause: error,
    });
  }
}

function formatOf(type: string | undefined): string | null {
  return type?.startsWith('image/') === true ? type.slice('image/'.length) : null;
}

function unreadable(cause: unknown): GatewayError {
  return new GatewayError('provider_unreadable', 'The provider sent a picture this gateway cannot read. Try again, or use another model.', {
    cause,
  });
}
