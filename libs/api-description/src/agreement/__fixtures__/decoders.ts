import { GatewayError } from '@weir/errors';
import { completionsFormat, translateCompletionsBody, wireFormats } from '@weir/wire-formats';

export type Body = Record<string, unknown>;

type Decoder = {
  /** The schema of the document that stands for it. */
  readonly schema: string;
  /** Why it refuses a body; undefined when it takes it. */
  readonly findRefusal: (body: Body) => string | undefined;
  /** Refusals that no schema could express. */
  readonly isBeyondSchemas: RegExp;
};

function refusalOf(decode: () => unknown): string | undefined {
  try {
    decode();
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return error.message;
    throw error;
  }
}

const WRITTEN = /data URL|media type|ending of filename|must hold an image|file_data is required|image_url is required/;

/** The decoders of chat dialects; whose model is missing is decided before them, whose model is empty as well. */
function chat(schema: string, dialect: keyof typeof wireFormats, more: RegExp, before: (body: Body) => Body = (body) => body): Decoder {
  return {
    schema,
    findRefusal: (body) =>
      refusalOf(() => {
        const { model } = body;
        if (model !== undefined && (typeof model !== 'string' || model === '')) throw new GatewayError('invalid_request', 'model');
        return wireFormats[dialect].decodeRequest(before(body));
      }),
    isBeyondSchemas: new RegExp(`${WRITTEN.source}|${more.source}`),
  };
}

export const DECODERS: Readonly<Record<string, Decoder>> = {
  'chat-completions': chat(
    'ChatCompletionRequest',
    'chat-completions',
    /a function call that no assistant message made|unless the assistant calls a tool/,
  ),
  completions: {
    schema: 'CompletionRequest',
    findRefusal: (body) =>
      refusalOf(() => {
        const { model } = body;
        if (model !== undefined && (typeof model !== 'string' || model === '')) throw new GatewayError('invalid_request', 'model');
        return completionsFormat.decodeRequest(translateCompletionsBody({ text: JSON.stringify(body), json: body }).json);
      }),
    isBeyondSchemas: /is a field of chat completions/,
  },
  responses: chat('ResponsesRequest', 'responses', /refers to a stored item|is not available here, because/),
  'count-input-tokens': chat('InputTokensRequest', 'responses', /refers to a stored item|is not available here, because/, (body) => ({
    ...body,
    input: body['input'] ?? '',
  })),
  messages: chat('MessagesRequest', 'messages', /names no server_tool_use block/),
  'count-tokens': chat('CountTokensRequest', 'messages', /names no server_tool_use block/, (body) => ({ max_tokens: 1, ...body })),
};
