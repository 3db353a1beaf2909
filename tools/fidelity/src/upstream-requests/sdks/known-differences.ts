import type { ChatDialect } from '@weir/contracts';
import { ABSENT, type Difference } from './list-differences';
import type { VendorSdk } from './vendor-sdks';

/** One difference between two bodies, and what the bodies were written for. */
export type Compared = {
  readonly sdk: VendorSdk;
  readonly dialect: ChatDialect;
  readonly conversation: string;
  readonly difference: Difference;
};

export type KnownDifference = {
  readonly name: string;
  /** Why both are right. */
  readonly reason: string;
  readonly explains: (difference: Difference, compared: Compared) => boolean;
};

/** Whether a difference is met with one SDK. */
function at(sdkName: string, path: RegExp): KnownDifference['explains'] {
  return (difference, { sdk }) => sdk.name === `@ai-sdk/${sdkName}` && path.test(difference.path);
}

/** Every way in which the gateway's body may differ from that of a vendor's SDK. A new row needs its reason. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    name: 'wishes the caller decides about',
    reason:
      'In the express lane the caller’s own words go on. The SDK leaves out what it holds to be wrong for a model, and asks for encrypted reasoning unasked.',
    explains: ({ path, sdk }, { dialect, sdk: { name } }) =>
      (name === '@ai-sdk/openai, chat' && dialect === 'chat-completions' && path === 'reasoning_effort') ||
      (name === '@ai-sdk/openai, responses' &&
        dialect === 'responses' &&
        (path === 'include' || path === 'top_p' || (path === 'tools[].strict' && sdk === ABSENT))),
  },
  {
    name: 'schemas without a name',
    reason: 'Messages has neither a name nor strictness for the schema of an answer, so that a request in it cannot ask for them.',
    explains: ({ path }, { dialect }) => dialect === 'messages' && /(json_schema|format)\.(name|strict)$/.test(path),
  },
  {
    name: 'arguments streamed early',
    reason: 'The SDK asks for tool arguments before they are complete JSON. Callers of the gateway who want that say so themselves.',
    explains: at('anthropic', /^tools\[\]\.eager_input_streaming$/),
  },
  {
    name: 'thinking beside the answer',
    reason:
      'The SDK adds the budget of thinking to the bound of the answer. The bound limits the price, so the gateway keeps the caller’s.',
    explains: (difference, { sdk: { name }, conversation }) =>
      /thought/.test(conversation) &&
      /anthropic|amazon-bedrock/.test(name) &&
      /^(max_tokens|inferenceConfig\.maxTokens)$/.test(difference.path),
  },
  {
    name: 'no thinking in the middle of a loop',
    reason:
      'Claude refuses to think on where the turn that called the tools has lost its thinking. The gateway switches thinking off for that request; the SDK sends it and is refused.',
    explains: (difference, { sdk: { name }, conversation }) =>
      conversation === 'thought and tools' &&
      /anthropic|amazon-bedrock/.test(name) &&
      /thinking\.(type|budget_tokens)$/.test(difference.path),
  },
  {
    name: 'a question after results',
    reason: 'The SDK joins neighbouring messages of the user for Claude, as the API does itself; the express lane leaves that to the API.',
    explains: (difference, compared) =>
      compared.conversation === 'a question after results' &&
      compared.dialect === 'messages' &&
      at('anthropic', /^messages\[\](\.content(\[\])?)?$/)(difference, compared),
  },
  {
    name: 'neighbours of one role',
    reason: 'Contents of user and model alternate in what the gateway sends to Gemini; the SDK lets a question follow results on its own.',
    explains: (difference, compared) =>
      compared.conversation === 'a question after results' && at('google', /^contents\[\](\.parts\[\])?$/)(difference, compared),
  },
  {
    name: 'schemas in JSON Schema',
    reason: 'The SDK rewrites schemas for the older members, which know a part of JSON Schema only; the newer ones take them as they are.',
    explains: at('google', /^(tools\[\]\.functionDeclarations\[\]\.parameters(JsonSchema)?|generationConfig\.response(Json)?Schema)$/),
  },
  {
    name: 'a word for no signature',
    reason: 'Gemini wants a signature on the first call of an answer only. The SDK puts the word for “none” on the others as well.',
    explains: (difference, compared) => difference.ours === ABSENT && at('google', /\.thoughtSignature$/)(difference, compared),
  },
  {
    name: 'results as objects',
    reason:
      'Results that are text have to stand in an object of Gemini’s. The gateway uses the member the vendor names, output; the SDK another.',
    explains: at('google', /\.functionResponse\.response\.(name|content|output)$/),
  },
  {
    name: 'levels in capitals',
    reason: 'The enumeration of thinking levels is in capitals in the vendor’s types; the API takes small letters too.',
    explains: ({ sdk, ours, path }) => path === 'generationConfig.thinkingConfig.thinkingLevel' && String(sdk).toUpperCase() === ours,
  },
  {
    name: 'which stop sequence was met',
    reason: 'The gateway asks Bedrock for it in whole replies and in streams; the SDK asks in the words of streams only.',
    explains: at('amazon-bedrock', /^additionalModelResponseFieldPaths\[\]$/),
  },
  {
    name: 'one call at a time',
    reason: 'The SDK has no way to ask Claude on Bedrock for serial calls. The gateway asks in the model’s own words.',
    explains: (difference, compared) =>
      compared.conversation === 'one call at a time' && at('amazon-bedrock', /^additionalModelRequestFields$/)(difference, compared),
  },
  {
    name: 'replies bound to a schema',
    reason: 'Converse has a member for the schema of an answer. The SDK uses a tool that has to be called instead.',
    explains: (difference, compared) =>
      compared.conversation === 'an answer held to a schema' && at('amazon-bedrock', /^(toolConfig|outputConfig)$/)(difference, compared),
  },
  {
    name: 'tools beside the one to be called',
    reason: 'Where one certain tool must be called, some SDKs leave the others out and force any call.',
    explains: (difference, { sdk: { name }, conversation }) =>
      conversation === 'one certain tool' &&
      /amazon-bedrock|mistral/.test(name) &&
      /^(toolConfig\.tools\[\]|tools\[\]|tool_choice)$/.test(difference.path),
  },
  {
    name: 'words before calls',
    reason: 'The SDK drops what the assistant said before it called a tool; the gateway keeps it.',
    explains: (difference, compared) => difference.sdk === ABSENT && at('cohere', /^messages\[\]\.content$/)(difference, compared),
  },
  {
    name: 'Mistral’s two spellings',
    reason: 'Pictures may be an address or an object with one, a forced call “any” or “required”, documents with a name or without.',
    explains: (difference, compared) =>
      at('mistral', /^messages\[\]\.content\[\]\.(image_url|document_name)$/)(difference, compared) ||
      (compared.conversation === 'a tool that must be called' && at('mistral', /^tool_choice$/)(difference, compared)),
  },
  {
    name: 'names on results',
    reason: 'Results may carry the name of their tool. In the express lane they do where the caller put it.',
    explains: (difference, compared) =>
      compared.dialect === 'chat-completions' && difference.ours === ABSENT && at('mistral', /^messages\[\]\.name$/)(difference, compared),
  },
  {
    name: 'ids of nine letters',
    reason:
      'Mistral refuses ids of tool calls that others made. The gateway changes them on both sides; the SDK sends them and is refused.',
    explains: at('mistral', /^messages\[\]\.(tool_calls\[\]\.id|tool_call_id)$/),
  },
];
