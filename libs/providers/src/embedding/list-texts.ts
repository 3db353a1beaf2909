import type { EmbeddingRequest } from '@weir/canonical';
import { unsupported } from '../failures/unsupported';

/** The texts of a request, for providers that take nothing else. */
export function listTexts({ inputs }: EmbeddingRequest): readonly string[] {
  if (inputs.kind !== 'texts') throw unsupported('input', 'Input given as tokens');
  return inputs.items;
}
