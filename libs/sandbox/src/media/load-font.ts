import { readFile } from 'node:fs/promises';

/** The parts of the font library that are used; it has no types of its own. */
export type Font = { readonly unitsPerEm: number; charToGlyph(character: string): Glyph };
type Glyph = {
  readonly advanceWidth?: number;
  getPath(x: number, y: number, fontSize: number): { toPathData(decimalPlaces: number): string };
};
type FontLibrary = { parse(bytes: ArrayBuffer): Font };

const LIBRARY: string = 'opentype.js';

/** The font that pictures are written with. The library is loaded when it is first needed. */
export async function loadFont(): Promise<Font> {
  const loaded = (await import(LIBRARY)) as Partial<FontLibrary> & { readonly default: FontLibrary };
  const parse = loaded.parse ?? loaded.default.parse;
  const bytes = await readFile(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
  return parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer);
}
