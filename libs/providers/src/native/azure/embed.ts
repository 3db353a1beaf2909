import type { EmbeddingLane } from '../../embedding-provider';
import { placeCall, type AzureDoors } from './encode-request';

/** Embeddings as the vendor of the models makes them, through the door that the attempt has to go through. */
export function createEmbeddings(lane: EmbeddingLane | undefined, doors: AzureDoors): EmbeddingLane | undefined {
  if (lane?.kind !== 'express') return lane;
  return { ...lane, encodeOriginal: (body, target) => placeCall(lane.encodeOriginal(body, target), target, doors) };
}
