import type { EmbeddingLane } from '../../embedding-provider';
import { placeCall, type AzureSurfaces } from './encode-request';

/** Embeddings as the vendor of the models makes them, through the door that the attempt has to go through. */
export function createEmbeddings(lane: EmbeddingLane | undefined, doors: AzureSurfaces): EmbeddingLane | undefined {
  if (lane?.kind !== 'express') return lane;
  return { ...lane, encodeOriginal: (body, target) => placeCall(lane.encodeOriginal(body, target), target, doors) };
}
