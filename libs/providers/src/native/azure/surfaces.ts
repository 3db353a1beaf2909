import type { ChatCodec } from '../../provider/provider';
import type { ProviderTarget } from '../../provider/target';

/** The two interfaces behind one account: chat completions, and for one maker's models the Messages API. */
export type Surfaces = { readonly chat: ChatCodec; readonly messages: ChatCodec | null };

export function isMessagesModel({ attempt }: ProviderTarget): boolean {
  return attempt.upstreamModel.startsWith('claude');
}

export function codecOf({ chat, messages }: Surfaces, target: ProviderTarget): ChatCodec {
  return messages !== null && isMessagesModel(target) ? messages : chat;
}
