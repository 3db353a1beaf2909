import type { ContentBlock, LossReport } from '@weir/canonical';

/** For providers that cannot be told how closely to look at a picture. */
export function noteImageLosses(block: ContentBlock, losses: LossReport): void {
  if (block.type === 'image' && block.detail !== undefined && block.detail !== 'auto') losses.dropped.add('image_url.detail');
}
