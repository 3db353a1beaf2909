import { createHash } from 'node:crypto';
import { loadFont, type Font } from './load-font';

export type Drawing = {
  readonly text: string;
  readonly width: number;
  readonly height: number;
  readonly format: 'png' | 'jpeg' | 'webp';
  /** 0 to 100. */
  readonly compression: number;
  readonly isTransparent: boolean;
  /** Shown behind the text. */
  readonly picture?: Buffer | undefined;
  /** Distinguishes the pictures of one request. */
  readonly index: number;
  /** How unfinished it looks: 0 is finished. */
  readonly blur: number;
};

const LINES_MAX = 6;
const MARGIN = 0.08;
let font: Promise<Font> | undefined;

/** Draws the text on a ground whose colours follow from it. The same drawing gives the same bytes. Libraries are loaded when needed. */
export async function drawImage(drawing: Drawing): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const { width, height, format, compression, picture, blur } = drawing;
  const svg = Buffer.from(drawSvg(drawing, await (font ??= loadFont())));
  const ground =
    picture === undefined
      ? sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      : sharp(picture).ensureAlpha().resize(width, height, { fit: 'cover' });
  const composed = await ground
    .composite([{ input: svg }])
    .png({ compressionLevel: 1 })
    .toBuffer();
  const finished = blur > 0 ? sharp(composed).blur(blur) : sharp(composed);
  if (format === 'jpeg')
    return finished
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: Math.max(1, compression) })
      .toBuffer();
  if (format === 'webp') return finished.webp({ quality: Math.max(1, compression) }).toBuffer();
  return finished.png({ compressionLevel: 6 }).toBuffer();
}

function drawSvg({ text, width, height, isTransparent, picture, index }: Drawing, font: Font): string {
  const hue = createHash('sha256').update(`${index} ${text}`).digest().readUInt16BE(0) % 360;
  const hasGround = !isTransparent && picture === undefined;
  const ground = hasGround ? `<rect width="${width}" height="${height}" fill="hsl(${hue},45%,82%)"/>` : '';
  const ring = `<circle cx="${width / 2}" cy="${height / 2}" r="${Math.min(width, height) * 0.42}" fill="none" stroke="hsl(${hue},60%,40%)" stroke-width="${Math.max(2, width / 64)}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}${ring}${drawText({ text, width, height }, font)}</svg>`;
}

/** As outlines, sign by sign: what draws the picture needs no fonts of the machine. */
function drawText({ text, width, height }: Pick<Drawing, 'text' | 'width' | 'height'>, font: Font): string {
  const size = Math.max(8, Math.round(Math.min(width, height) / 16));
  const lines = wrapText(text, (line) => measure(line, size, font) <= width * (1 - 2 * MARGIN));
  const top = height / 2 - ((lines.length - 1) * size * 1.3) / 2;
  return lines
    .map((line, row) => {
      let left = (width - measure(line, size, font)) / 2;
      const outlines = [...line].map((sign) => {
        const outline = font
          .charToGlyph(sign)
          .getPath(left, top + row * size * 1.3, size)
          .toPathData(1);
        left += measure(sign, size, font);
        return outline;
      });
      return `<path fill="#1b1b1b" d="${outlines.join('')}"/>`;
    })
    .join('');
}

function measure(line: string, size: number, font: Font): number {
  return [...line].reduce((sum, sign) => sum + ((font.charToGlyph(sign).advanceWidth ?? 0) * size) / font.unitsPerEm, 0);
}

function wrapText(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const last = lines.at(-1);
    const joined = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && fits(joined)) lines[lines.length - 1] = joined;
    else if (lines.length === LINES_MAX) return lines;
    else lines.push(word);
  }
  return lines;
}
