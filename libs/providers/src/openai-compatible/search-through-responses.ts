import type { ChatRequest } from '@weir/canonical';
import type { ChatCodec, ChatStreamDecoder } from '../provider/provider';
import type { ProviderTarget } from '../provider/target';
import { isSearchModel } from './rewrite-members';

/**
 * Where a provider searches through its Responses API only, requests that want a search go there and all others to chat
 * completions. Which way a call went is known by its target.
 */
export function searchThroughResponses(chat: ChatCodec, responses: ChatCodec): ChatCodec {
  const searching = new WeakSet<ProviderTarget>();
  const codecOf = (target: ProviderTarget): ChatCodec => (searching.has(target) ? responses : chat);
  return {
    encodeRequest(request, target, losses) {
      if (wantsSearch(request, target)) searching.add(target);
      else searching.delete(target);
      return codecOf(target).encodeRequest(request, target, losses);
    },
    decodeReply: (text, target) => codecOf(target).decodeReply(text, target),
    createStreamDecoder: (target): ChatStreamDecoder => codecOf(target).createStreamDecoder(target),
  };
}

function wantsSearch(request: ChatRequest, target: ProviderTarget): boolean {
  return !isSearchModel(target) && request.tools?.some((tool) => tool.kind === 'web-search') === true;
}
