import { createMediaFile, type MediaFile } from '@weir/canonical';
import { ClientGone, type WatchedRequest } from '@weir/exchange';
import { sniffMedia } from '@weir/guarded-fetch';
import type { MediaParts } from '../media/media-modality';
import { invalid, isAbsent, type Fields } from '../media/read-fields';

const IMAGES_MAX = 16;
const FILE_BYTES_MAX = 50 * 1024 * 1024;
const DATA_URL = /^data:image\/[a-z0-9.+-]+(?:;[a-z0-9-]+=[^;,]{0,200}){0,8};base64,/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

type References = { readonly images: readonly MediaFile[]; readonly mask?: MediaFile };

/** Opens the pictures that a request in JSON names: by the id of a file, by address, or as data. Throws a 400 that names the field. */
export async function readReferences(json: Fields, request: WatchedRequest, parts: MediaParts): Promise<References> {
  const { images, mask } = json;
  if (!Array.isArray(images) || images.length === 0) throw invalid('images', 'must be a list of at least one image');
  if (images.length > IMAGES_MAX) throw invalid('images', `must have at most ${IMAGES_MAX} entries`);
  const gone = new AbortController();
  request.onClientGone(() => gone.abort(new ClientGone()));
  const open = (reference: unknown, field: string): Promise<MediaFile> =>
    openReference(reference, { field, request, parts, signal: gone.signal });
  const opened: MediaFile[] = [];
  for (const [index, reference] of (images as unknown[]).entries()) opened.push(await open(reference, `images[${index}]`));
  return { images: opened, ...(isAbsent(mask) ? {} : { mask: await open(mask, 'mask') }) };
}

type Place = { readonly field: string; readonly request: WatchedRequest; readonly parts: MediaParts; readonly signal: AbortSignal };

function openReference(reference: unknown, place: Place): Promise<MediaFile> {
  const { field } = place;
  if (typeof reference !== 'object' || reference === null) throw invalid(field, 'must be an object with image_url or file_id');
  const { image_url: url, file_id: id } = reference as Record<string, unknown>;
  if (isAbsent(url) === isAbsent(id)) throw invalid(field, 'must have exactly one of image_url and file_id');
  if (!isAbsent(id)) return openKept(id, place);
  if (typeof url !== 'string') throw invalid(`${field}.image_url`, 'must be text');
  if (DATA_URL.test(url)) return Promise.resolve(readDataUrl(url, field));
  if (/^data:/i.test(url)) throw invalid(`${field}.image_url`, 'must hold a picture as "data:image/<type>;base64,<data>"');
  return fetchImage(url, place);
}

async function openKept(id: unknown, { field, request, parts }: Place): Promise<MediaFile> {
  if (typeof id !== 'string') throw invalid(`${field}.file_id`, 'must be text');
  const record = await parts.files.find(request.forwarded.passport.caller.organizationId, id);
  if (record === undefined) throw invalid(`${field}.file_id`, 'names no file that is kept here');
  const { name, type, size } = record;
  return { name, type, size, read: () => parts.files.open(record) };
}

function readDataUrl(url: string, field: string): MediaFile {
  const text = url.slice(url.indexOf(',') + 1);
  if (text === '' || !BASE64.test(text)) throw invalid(`${field}.image_url`, 'must hold base64 data');
  return toFile(Buffer.from(text, 'base64'), field);
}

async function fetchImage(url: string, { field, request, parts, signal }: Place): Promise<MediaFile> {
  const owner = request.forwarded.passport.caller.organizationId;
  const { body } = await parts.fetcher.open({ url, kind: 'image', field: `${field}.image_url`, owner, signal });
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece as Buffer);
  return toFile(Buffer.concat(pieces), field);
}

function toFile(bytes: Buffer, field: string): MediaFile {
  if (bytes.length > FILE_BYTES_MAX) throw invalid(`${field}.image_url`, `must hold at most ${FILE_BYTES_MAX} bytes`);
  const type = sniffMedia(bytes, 'image') ?? 'application/octet-stream';
  return createMediaFile(bytes, { name: `image.${type.split('/')[1] ?? 'bin'}`, type });
}
