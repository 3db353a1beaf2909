import { addMediaUsage, NO_MEDIA_USAGE, type ImageFacts, type ImageRequest, type MediaUsage } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { findMostUsage, measureMedia } from '@weir/limits';
import { imageUnit } from '@weir/model-catalog';
import { estimateTextTokens as countText } from '@weir/providers';
import { keepPlausible, type CountedUse } from '../media/keep-plausible';
import { isPricedByTokens } from '../media/close-media-attempt';
import { estimateTextTokens } from '../media/estimate-text-tokens';

/** What vendors document for a picture of 1024 by 1024; what is not known counts as the dearest. */
const TOKENS_PER_PICTURE: Readonly<Record<string, number>> = { low: 272, medium: 1056, standard: 1056 };
const TOKENS_MOST = 4160;
const PIXELS_PER_PICTURE = 1024 * 1024;
const INPUT_IMAGE_TOKENS = 1_000;
const SIZE = /^(\d+)x(\d+)$/;

type Drawn = {
  readonly attempt: Attempt;
  /** Pictures that came. */
  readonly images: number;
  /** See MostFacts. */
  readonly maxOutputTokens: number | null;
};

/**
 * The usage of a reply: as its provider reported, where that is plausible, else what can be counted, else an estimate. No one pays for
 * more pictures than were asked for.
 */
export function completeUsage(
  reported: MediaUsage | null,
  asked: ImageRequest,
  { attempt, images: came, maxOutputTokens }: Drawn,
): CountedUse {
  const images = Math.min(came, asked.count);
  const found = keepPlausible(reported, { most: findMost(asked, maxOutputTokens), attempt }, (plausible) => {
    if (plausible !== null) return { ...plausible, images };
    const counted: MediaUsage = { ...NO_MEDIA_USAGE, images, source: 'tokenizer' };
    if (!isPricedByTokens(attempt)) return counted;
    const inputTextTokens = countText(asked.prompt, attempt.upstreamModel);
    return addMediaUsage(counted, { ...estimateUsage(asked, images), inputTextTokens });
  });
  return came > images ? { doubted: { ...found.usage, images: came }, ...found } : found;
}

/** As the edge found it for the hold. */
function findMost({ prompt, size, quality, images, mask, count, unmapped }: ImageRequest, maxOutputTokens: number | null): MediaUsage {
  const json = { prompt, size, quality, ...unmapped };
  const imageFiles = images.length + (mask === undefined ? 0 : 1);
  const media = measureMedia({ modality: 'image', json, count, imageFiles, audioSeconds: 0 });
  return findMostUsage({ modality: 'image', media, maxOutputTokens });
}

/** What pictures use at least: as many as were asked for, of the least that a quality which no one named is made of. */
export function expectImages(asked: ImageRequest, attempt: Attempt): MediaUsage {
  const counted: MediaUsage = { ...NO_MEDIA_USAGE, images: asked.count, source: 'estimate' };
  if (!isPricedByTokens(attempt)) return counted;
  const { quality = 'auto' } = asked;
  return addMediaUsage(counted, estimateUsage({ ...asked, quality: quality === 'auto' ? 'low' : quality }, asked.count));
}

/** The tokens of all calls together; null when one of them reported none. */
export function sumUsage(reported: readonly (MediaUsage | null)[]): MediaUsage | null {
  return reported.reduce(
    (sum, usage) => (sum === null || usage === null ? null : addMediaUsage(sum, usage)),
    NO_MEDIA_USAGE as MediaUsage | null,
  );
}

function estimateUsage(asked: ImageRequest, images: number): MediaUsage {
  const [, width = 1024, height = 1024] = SIZE.exec(asked.size ?? '') ?? [];
  const share = (Number(width) * Number(height)) / PIXELS_PER_PICTURE;
  const each = Math.ceil((TOKENS_PER_PICTURE[asked.quality ?? ''] ?? TOKENS_MOST) * share);
  return {
    ...NO_MEDIA_USAGE,
    inputTextTokens: estimateTextTokens(asked.prompt),
    inputImageTokens: asked.images.length * INPUT_IMAGE_TOKENS,
    outputImageTokens: each * images,
    source: 'estimate',
  };
}

/** The unit that pictures are charged by: that of their quality and size, where those have a price of their own. */
export function chooseImageUnit({ prices }: Attempt, asked: ImageRequest, facts: ImageFacts): string {
  if (prices.kind !== 'units') return 'image';
  const quality = facts.quality ?? asked.quality ?? 'standard';
  const size = facts.size ?? asked.size ?? 'auto';
  return imageUnit(prices, quality, size === 'auto' ? '1024x1024' : size);
}
