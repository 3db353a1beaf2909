import type { ContentBlock, LossReport } from '@weir/canonical';

/** For providers without a setting for the detail of a picture. */
export function noteImageLosses(block: ContentBlock, losses: LossReport): void {
  if (block.type === 'image' && block.detail !== undefined && block.detail !== 'auto') losses.dropped.add('image_url.detail');
}
