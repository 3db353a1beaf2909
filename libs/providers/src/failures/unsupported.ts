import type { ContentBlock, MediaSource } from '@weir/canonical';
import { GatewayError } from '@weir/errors';

/** The request needs something that this provider has no way to say. */
export function unsupported(field: string, what: string): GatewayError {
  return new GatewayError('unsupported_field', `${what} is not supported by the chosen model's provider.`, { field });
}

/** The same for one part of the content, named by where the caller's request has it. */
export function unsupportedPart(part: ContentBlock | MediaSource | { readonly field?: string | undefined }, what: string): GatewayError {
  const holder = 'source' in part ? part.source : part;
  const field = 'field' in holder ? holder.field : undefined;
  return field === undefined ? unsupported('messages', what) : unsupported(field, `${what} (${field})`);
}

/** Stands for all types of text. */
export const ANY_TEXT = 'text/*';

/** Media in the request itself, of a type that the provider is not known to take. */
export function checkMediaType(source: MediaSource, what: string, types: ReadonlySet<string>): void {
  if (source.kind !== 'base64') return;
  const type = source.mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!types.has(type) && !(types.has(ANY_TEXT) && type.startsWith('text/')))
    throw unsupportedPart(source, `${what} of the type "${type.slice(0, 100)}"`);
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
