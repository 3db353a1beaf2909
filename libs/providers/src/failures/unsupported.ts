import { GatewayError } from '@weir/errors';

/** The request needs something that this provider has no way to say. */
export function unsupported(field: string, what: string): GatewayError {
  return new GatewayError('unsupported_field', `${what} is not supported by the chosen model's provider.`, { field });
}

/** Providers whose codecs carry out a search of the web, with models that have it. The sandbox only plays one. */
export const SEARCH_PROVIDERS: ReadonlySet<string> = new Set(['anthropic', 'google', 'openai', 'openai-responses', 'perplexity', 'vertex']);

/** Web search has no substitute: a model without it refuses the request. */
export function searchUnsupported({ attempt }: { readonly attempt: { readonly modelId: string } }): GatewayError {
  const message = `The model "${attempt.modelId}" cannot search the web. Use a model that can, or leave the web search out.`;
  return new GatewayError('unsupported_field', message, { field: 'tools', lacks: 'web_search' });
}

export function unreadableReply(cause?: unknown): GatewayError {
  return new GatewayError(
    'provider_unreadable',
    'The provider sent a reply this gateway cannot read. Try again, or use another model.',
    cause === undefined ? {} : { cause },
  );
}
