import { measurePrompt, readAskedOutput, type ChatMost } from '@weir/limits';
import type { ProviderTarget } from '@weir/providers';
import type { ChatSession } from './chat-session';

/** Names of models that search the web whenever they are asked. */
const SEARCHING_MODEL = /-search-|compound|:online/;

type Asked = Pick<ChatSession, 'body' | 'forwarded' | 'dialect'>;

/** What bounds the usage of a request, by the same rules as the money that was set aside for it. Read of its body when it is first needed. */
export class RequestMost implements ChatMost {
  readonly model: ChatMost['model'];
  private measuredPrompt: ReturnType<ChatMost['prompt']> | undefined;
  private askedOutput: ReturnType<ChatMost['asked']> | undefined;

  constructor(
    private readonly session: Asked,
    target: ProviderTarget,
  ) {
    const { contextWindow = null, maxOutputTokens, supportsReasoning, supportsTools, supportsWebSearch } = target.model;
    const isSearching = (supportsWebSearch && !supportsTools) || SEARCHING_MODEL.test(target.attempt.upstreamModel);
    this.model = { contextWindow, maxOutputTokens, isReasoning: supportsReasoning, isSearching };
  }

  /** Reads all of it, before the body is let go of. */
  read(): void {
    this.prompt();
    this.asked();
  }

  prompt(): ReturnType<ChatMost['prompt']> {
    return (this.measuredPrompt ??= measurePrompt(this.session.body.json, this.session.forwarded.body.length));
  }

  asked(): ReturnType<ChatMost['asked']> {
    return (this.askedOutput ??= readAskedOutput(this.session.body.json, this.session.dialect));
  }
}
