import type { ChatCodec } from '../../provider/provider';
import type { ProviderTarget } from '../../provider/target';

/** Which interface a model is served by: each maker's own, or chat completions for open models. */
export type Surface = 'google' | 'messages' | 'mistral' | 'open';

export type Surfaces = { readonly google: ChatCodec; readonly messages: ChatCodec; readonly chat: ChatCodec };

export function findSurface({ attempt }: ProviderTarget): Surface {
  const { upstreamModel } = attempt;
  if (upstreamModel.startsWith('claude')) return 'messages';
  if (upstreamModel.includes('/')) return 'open';
  return /^(mistral|codestral|ministral)/.test(upstreamModel) ? 'mistral' : 'google';
}

export function codecOf(surfaces: Surfaces, target: ProviderTarget): ChatCodec {
  const surface = findSurface(target);
  return surface === 'google' || surface === 'messages' ? surfaces[surface] : surfaces.chat;
}
