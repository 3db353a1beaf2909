import type { ChatTurn } from './chat-request';
import type { ContentBlock, DocumentBlock, ImageBlock, MediaSource, VideoBlock } from './content';

export type RemoteSource = Extract<MediaSource, { kind: 'url' }>;
type MediaBlock = ImageBlock | DocumentBlock | VideoBlock;
export type RemoteKind = MediaBlock['type'];
export type RemoteMedia = { readonly kind: RemoteKind; readonly source: RemoteSource };

/** All media that turns name by address, in their order, inside the results of tools as well. */
export function listRemoteMedia(turns: readonly ChatTurn[]): RemoteMedia[] {
  return turns.flatMap((turn) => listInBlocks(turn.content));
}

function listInBlocks(blocks: readonly ContentBlock[]): RemoteMedia[] {
  return blocks.flatMap((block) => {
    if (block.type === 'tool-result') return listInBlocks(block.content);
    return isMedia(block) && block.source.kind === 'url' ? [{ kind: block.type, source: block.source }] : [];
  });
}

/** The same turns with some sources replaced; a source is found by identity. */
export function replaceSources(turns: readonly ChatTurn[], replacements: ReadonlyMap<MediaSource, MediaSource>): ChatTurn[] {
  return turns.map((turn) => ({ ...turn, content: replaceInBlocks(turn.content, replacements) }));
}

function replaceInBlocks(blocks: readonly ContentBlock[], replacements: ReadonlyMap<MediaSource, MediaSource>): ContentBlock[] {
  return blocks.map((block) => {
    if (block.type === 'tool-result') return { ...block, content: replaceInBlocks(block.content, replacements) };
    const source = isMedia(block) ? replacements.get(block.source) : undefined;
    return source === undefined ? block : { ...(block as MediaBlock), source };
  });
}

function isMedia(block: ContentBlock): block is MediaBlock {
  return block.type === 'image' || block.type === 'document' || block.type === 'video';
}
