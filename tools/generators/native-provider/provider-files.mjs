import { toPascal } from '../edit/edit-text.mjs';

/** The files of a native provider, in their smallest form that compiles. */
export function createProviderFiles(id) {
  return {
    index: createIndex(id),
    'encode-request': createEncodeRequest(id),
    'decode-reply': DECODE_REPLY,
    'decode-stream': DECODE_STREAM,
    'read-usage': READ_USAGE,
  };
}

function createIndex(id) {
  return `import type { Provider } from '../../provider/provider';
import { readPlainError } from '../../failures/read-plain-error';
import { COMMON_TOOL_NAMES, withLegalToolNames } from '../../wire/with-legal-tool-names';
import type { NativeAccess } from '../../settings/native-provider';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { encodeRequest } from './encode-request';

/** Speaks the API of ${id}. */
export function create${toPascal(id)}Provider(access: NativeAccess): Provider {
  const credential = { authorization: \`Bearer \${access.apiKey}\` };
  return {
    id: '${id}',
    modalities: ['chat'],
    onCancel: 'abort',
    baseUrl: access.baseUrl,
    authorize: () => credential,
    transport: access.transport,
    // Callers' own bodies can go on only when the provider speaks one of their dialects.
    express: null,
    codec: withLegalToolNames({ encodeRequest, decodeReply, createStreamDecoder }, COMMON_TOOL_NAMES),
    readError: (status, headers, text) => readPlainError(status, headers, text, [access.apiKey]),
  };
}
`;
}

function createEncodeRequest(id) {
  return `import type { ChatRequest, LossReport } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import type { EncodedCall, ProviderTarget } from '../../provider/target';

/** Writes the provider's request. Whatever it has no word for goes into \`losses\`. */
export function encodeRequest(_request: ChatRequest, _target: ProviderTarget, _losses: LossReport): EncodedCall {
  throw new GatewayError('provider_not_configured', 'Requests to ${id} cannot be written yet.');
}
`;
}

const DECODE_REPLY = `import type { ChatReply } from '@weir/canonical';
import type { ProviderTarget } from '../../provider/target';
import { unreadableReply } from '../../failures/unsupported';

/** A whole reply. Throws \`provider_unreadable\` for anything else, which so far is everything. */
export function decodeReply(_text: string, _target: ProviderTarget): ChatReply {
  throw unreadableReply();
}
`;

const DECODE_STREAM = `import type { ChatStreamDecoder } from '../../provider/provider';
import type { ProviderTarget } from '../../provider/target';
import { unreadableReply } from '../../failures/unsupported';

/** Bytes of a stream to events; no split of the bytes may change the events. So far no byte can be read. */
export function createStreamDecoder(_target: ProviderTarget): ChatStreamDecoder {
  return {
    push() {
      throw unreadableReply();
    },
    end: () => [],
    reported: () => null,
  };
}
`;

const READ_USAGE = `import type { Usage } from '@weir/canonical';

/** The provider's usage in our buckets; null when there is nothing to read, and the caller then estimates. */
export function readUsage(_usage: unknown): Usage | null {
  return null;
}
`;
