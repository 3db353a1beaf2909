import type { ContentBlock, LossReport } from '@weir/canonical';

/** For providers that neither cite documents nor take words about them beside the file itself. */
export function noteDocumentLosses(block: ContentBlock, losses: LossReport): void {
  if (block.type !== 'document') return;
  if (block.hasCitations === true) losses.dropped.add('citations');
  if (block.context !== undefined && block.source.kind !== 'text') losses.dropped.add('messages.document.context');
}
