import type { CachePlaces } from '@weir/canonical';
import type { Provider } from '../../provider/provider';
import type { ProviderTarget } from '../../provider/target';
import type { FetchedAddresses } from '../../provider/fetched-addresses';
import { readPlainError } from '../../failures/read-plain-error';
import { createCustomToolMemory } from '../../wire/remember-custom-tools';
import { withLegalToolNames, type ToolNameRule } from '../../wire/with-legal-tool-names';
import type { NativeAccess } from '../../settings/native-provider';
import type { DecodeContext } from './decode-blocks';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { encodeCount, encodeOriginal, encodeRequest } from './encode-request';
import { planMemberRules } from '../../members/member-rules';
import { readUsage } from './read-usage';
import { createSignRequest } from './sign-request';

const TOOL_NAMES: ToolNameRule = { legal: /^[a-zA-Z0-9_-]{1,128}$/, charactersMax: 128 };
const EVERYWHERE: CachePlaces = { tools: true };
const FETCHED: FetchedAddresses = { image: ['https://'], document: ['https://'] };

/** Tools that the vendor runs: their searches have a price, their tokens are in the usage. Those that ask another model are refused. */
const MEMBERS = planMemberRules('messages', {
  tools: ['web_fetch_', 'code_execution_', 'bash_', 'text_editor_', 'computer_', 'memory_', 'tool_search_tool_', 'mcp_toolset'],
});

/**
 * A provider that speaks the Messages API. Its id is also the family of the state it issues; `needsState` is true of the
 * dialect's own vendor, which refuses history that it cannot verify.
 */
export function createMessagesProvider(id: string, access: NativeAccess, { needsState = false } = {}): Provider {
  const memory = createCustomToolMemory();
  const authorize = createSignRequest(access.apiKey);
  const contextOf = (target: ProviderTarget): DecodeContext => ({
    family: id,
    fallbackModel: target.attempt.upstreamModel,
    customTools: memory.find(target),
  });
  return {
    id,
    modalities: ['chat'],
    onCancel: 'abort',
    baseUrl: access.baseUrl,
    authorize,
    transport: access.transport,
    fetchedAddresses: () => FETCHED,
    cachePlaces: () => EVERYWHERE,
    members: MEMBERS,
    express: { dialect: 'messages', history: { family: id, needsState }, encodeOriginal, encodeCount, readUsage },
    codec: withLegalToolNames(
      {
        encodeRequest(request, target, losses) {
          memory.remember(request, target);
          return encodeRequest(request, { family: id, target, losses });
        },
        decodeReply: (text, target) => decodeReply(text, contextOf(target)),
        createStreamDecoder: (target) => createStreamDecoder(contextOf(target)),
      },
      TOOL_NAMES,
    ),
    readError: (status, headers, text) => readPlainError(status, headers, text, [access.apiKey]),
  };
}
