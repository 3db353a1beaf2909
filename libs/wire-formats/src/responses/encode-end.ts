import type { FinishReason } from '@weir/canonical';
import type { ResponseEnd } from './response-object';

type End = Pick<ResponseEnd, 'status' | 'error' | 'incompleteReason'>;

/** How the response ends, for the reason why the model stopped. */
export function encodeEnd(finish: FinishReason): End & { readonly status: 'completed' | 'incomplete' | 'failed' } {
  switch (finish.unified) {
    case 'length':
    case 'context-full':
      return { status: 'incomplete', incompleteReason: 'max_output_tokens' };
    case 'content-filter':
      return { status: 'incomplete', incompleteReason: 'content_filter' };
    case 'error':
      return { status: 'failed', error: { code: 'server_error', message: 'The provider ended the reply with an error.' } };
    default:
      return { status: 'completed' };
  }
}
