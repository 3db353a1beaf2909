import type { ImageRequest, LossReport } from '@weir/canonical';
import { GatewayError } from '@weir/errors';

export type Size = { readonly width: number; readonly height: number };

const PIXELS = /^(\d{1,5})x(\d{1,5})$/;

/** The size a caller asked for; undefined when the choice is left to the provider. */
export function parseSize({ size }: Pick<ImageRequest, 'size'>): Size | undefined {
  if (size === undefined || size === 'auto') return undefined;
  const [, width, height] = (PIXELS.exec(size) ?? []).map(Number);
  if (width === undefined || height === undefined || width < 1 || height < 1) {
    throw new GatewayError('invalid_request', 'size must be auto or <width>x<height>.', { field: 'size' });
  }
  return { width, height };
}

type Ratios = {
  /** `16:9` */
  readonly ratios: readonly string[];
  /** How many pixels a side of its square has, where that is known: the one size that is kept exactly. */
  readonly square?: number;
};

/** The ratio nearest to a size, of those a provider draws in; where the size itself is not kept, that is reported. */
export function findNearestRatio(size: Size | undefined, { ratios, square }: Ratios, losses: LossReport): string | undefined {
  if (size === undefined) return undefined;
  if (size.width !== square || size.height !== square) losses.approximated.add('size');
  return findNearest(size, ratios, (ratio) => {
    const [width = 1, height = 1] = ratio.split(':').map(Number);
    return { width, height };
  });
}

/** The size nearest to one, of those a provider draws in: the same shape first, then as large; reported where it differs. */
export function findNearestSize(size: Size | undefined, sizes: readonly Size[], losses: LossReport): Size | undefined {
  if (size === undefined) return undefined;
  const nearest = findNearest(size, sizes, (one) => one);
  if (nearest?.width !== size.width || nearest.height !== size.height) losses.approximated.add('size');
  return nearest;
}

function findNearest<Choice>(size: Size, choices: readonly Choice[], toSize: (choice: Choice) => Size): Choice | undefined {
  const distanceOf = (choice: Choice): readonly [number, number] => {
    const { width, height } = toSize(choice);
    return [
      Math.abs(Math.log((width * size.height) / (height * size.width))),
      Math.abs(Math.log((width * height) / (size.width * size.height))),
    ];
  };
  let nearest: { readonly choice: Choice; readonly distance: readonly [number, number] } | undefined;
  for (const choice of choices) {
    const distance = distanceOf(choice);
    const isNearer =
      nearest === undefined ||
      distance[0] < nearest.distance[0] ||
      (distance[0] === nearest.distance[0] && distance[1] < nearest.distance[1]);
    if (isNearer) nearest = { choice, distance };
  }
  return nearest?.choice;
}
