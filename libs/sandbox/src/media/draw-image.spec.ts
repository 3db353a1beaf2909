import sharp from 'sharp';
import { drawImage, type Drawing } from './draw-image';

const drawing: Drawing = {
  ...{ text: 'a fine kite over the office', width: 120, height: 90, format: 'png', compression: 90 },
  ...{ isTransparent: false, index: 0, blur: 0 },
};
const cornerOf = async (bytes: Buffer): Promise<number[]> => [...(await sharp(bytes).ensureAlpha().raw().toBuffer()).subarray(0, 4)];

describe('pictures of the sandbox', () => {
  it('are the same for the same words, and others for others', async () => {
    const [first, again, other, second] = await Promise.all([
      drawImage(drawing),
      drawImage(drawing),
      drawImage({ ...drawing, text: 'another' }),
      drawImage({ ...drawing, index: 1 }),
    ]);
    expect(first.equals(again)).toBe(true);
    expect(first.equals(other) || first.equals(second)).toBe(false);
  });

  it.each(['png', 'jpeg', 'webp'] as const)('are %s of the size asked for', async (format) => {
    expect(await sharp(await drawImage({ ...drawing, format })).metadata()).toMatchObject({ format, width: 120, height: 90 });
  });

  it('have no ground where none is wanted, and show the picture they were made of', async () => {
    expect((await cornerOf(await drawImage({ ...drawing, isTransparent: true })))[3]).toBe(0);
    const picture = await sharp({ create: { width: 10, height: 10, channels: 3, background: '#102030' } })
      .png()
      .toBuffer();
    expect(await cornerOf(await drawImage({ ...drawing, picture }))).toEqual([0x10, 0x20, 0x30, 255]);
  });
});
