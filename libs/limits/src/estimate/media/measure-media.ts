import type { Modality } from '@weir/contracts';

/** How much of what is charged for a request about pictures or sound can use at most, by the request alone. */
export type MediaMeasure = {
  /** Results asked for. */
  readonly count: number;
  /** Of words that go in. */
  readonly textTokens: number;
  readonly imagesIn: number;
  /** Of words to be spoken. */
  readonly characters: number;
  /** What a voice makes of them. */
  readonly spokenTokens: number;
  /** What one picture is made of. */
  readonly tokensPerImage: number;
  /** Of the recording that goes in. */
  readonly seconds: number;
};

export type MediaFacts = {
  readonly modality: Modality;
  readonly json: Readonly<Record<string, unknown>>;
  /** Of the body, where it is JSON. */
  readonly bodyBytes?: number;
  /** Pictures asked for; absent: one result. They may take a call each, and each call is sent all that goes in. */
  readonly count?: number;
  /** How many pictures came as files, masks among them. */
  readonly imageFiles: number;
  /** How long the recordings that came last at most; see measureAudio. */
  readonly audioSeconds: number;
};

/** What a provider's template adds. */
const TEMPLATE_TOKENS = 256;
/** Members that hold pictures, and no words. */
const PICTURES = new Set(['images', 'image', 'mask', 'file']);

/** Measures a request about pictures or sound. What is no text is counted as the text it is written as. */
export function measureMedia({ modality, json, count = 1, imageFiles, audioSeconds, bodyBytes = 0 }: MediaFacts): MediaMeasure {
  const spoken = modality === 'speech' ? spokenOf(json['input'], bodyBytes) : '';
  const texts = Object.keys(json).filter((name) => !PICTURES.has(name));
  const textBytes = texts.reduce((sum, name) => sum + bytesOf(json[name], bodyBytes), 0);
  const imagesIn = imageFiles + countOf(json['images']) + (isNamed(json['mask']) ? 1 : 0);
  return {
    count,
    textTokens: (textBytes + TEMPLATE_TOKENS) * count,
    imagesIn: imagesIn * count,
    characters: boundCharacters(spoken),
    spokenTokens: Math.ceil(boundSpokenTokens(spoken) * slowness(json['speed'])),
    tokensPerImage: boundImageTokens(json),
    seconds: audioSeconds,
  };
}

/** What is no text and stands in a body of more than this is bounded by all of the body: writing it out would take long. */
const WRITTEN_BYTES_MAX = 256 * 1024;

/** Only text is spoken; anything else is refused when it is decoded, and here only bounded. */
function spokenOf(input: unknown, bodyBytes: number): string {
  return typeof input === 'object' && bodyBytes > WRITTEN_BYTES_MAX ? '' : textOf(input);
}

function bytesOf(value: unknown, bodyBytes: number): number {
  if (typeof value === 'object' && value !== null && bodyBytes > WRITTEN_BYTES_MAX) return bodyBytes;
  return Buffer.byteLength(textOf(value));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function countOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

/** A mask that is named in JSON; one that came as a file counts among them. */
function isNamed(reference: unknown): boolean {
  return typeof reference === 'object' && reference !== null && ('image_url' in reference || 'file_id' in reference);
}

/** Behind the letters of Latin script with their accents. */
const LATIN_END = 0x250;
const SURROGATES = 0xd800;
const SURROGATES_END = 0xe000;

/**
 * Some providers charge a Chinese character as two: so does this every sign outside Latin script. One that is two units of
 * the text already counts as two. No list is made of the signs, because a text may be long.
 */
function boundCharacters(text: string): number {
  let characters = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= LATIN_END && (unit < SURROGATES || unit >= SURROGATES_END)) characters += 1;
  }
  return characters;
}

/** A letter takes a slow voice 0.4 s, and a figure may stand for several words; at 25 tokens a second, of which none is dearer. */
const TOKENS_PER_LETTER = 10;
const TOKENS_PER_SIGN = 30;
const PAUSE_TOKENS = 500;

/** No provider speaks more at a time: what is longer is refused, and not worth a look at each character. */
const SPOKEN_LENGTH_MAX = 100_000;

function boundSpokenTokens(text: string): number {
  if (text === '') return 0;
  const letters = text.length > SPOKEN_LENGTH_MAX ? 0 : (text.match(/[\p{L}\s]/gu)?.length ?? 0);
  return letters * TOKENS_PER_LETTER + (text.length - letters) * TOKENS_PER_SIGN + PAUSE_TOKENS;
}

function slowness(speed: unknown): number {
  return typeof speed === 'number' && speed > 0 && speed < 1 ? Math.min(1 / speed, 4) : 1;
}

/** The largest of the usual sizes. */
const USUAL_PIXELS = 1536 * 1024;
const TOKENS_PER_IMAGE = 10_000;
/** Those that are asked for are the same for every vendor; one that heeds no quality makes no more than this of a picture. */
const MODEST_TOKENS_PER_IMAGE = 3_000;
const MODEST_QUALITIES = new Set<unknown>(['low', 'medium']);
const SIZE = /^(\d{1,5})x(\d{1,5})$/;

/** Unfinished pictures that a stream shows on the way are within it. */
function boundImageTokens({ quality, size }: MediaFacts['json']): number {
  const [, width, height] = SIZE.exec(typeof size === 'string' ? size : '') ?? [];
  const area = width === undefined || height === undefined ? 1 : Math.max(1, (Number(width) * Number(height)) / USUAL_PIXELS);
  return Math.ceil((MODEST_QUALITIES.has(quality) ? MODEST_TOKENS_PER_IMAGE : TOKENS_PER_IMAGE) * area);
}
