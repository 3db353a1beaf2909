import type { EmbeddingLane } from '../../provider/embedding-provider';
import { placeCall, type AzureHosts } from './encode-request';

/** Embeddings as the vendor of the models makes them, sent to the host that the attempt belongs to. */
export function createEmbeddings(lane: EmbeddingLane | undefined, hosts: AzureHosts): EmbeddingLane | undefined {
  if (lane?.kind !== 'express') return lane;
  return { ...lane, encodeOriginal: (body, target) => placeCall(lane.encodeOriginal(body, target), target, hosts) };
}
