import { stringifyExactJson, type ChatRequest } from '@weir/canonical';
import type { ProviderTarget } from '../provider/target';

/**
 * Providers without free-form tools get them as functions of one string. Which ones they were is needed again when the
 * reply of the same call is decoded; the call's target is what both sides hold.
 */
type CustomToolMemory = {
  remember(request: ChatRequest, target: ProviderTarget): void;
  find(target: ProviderTarget): ReadonlySet<string>;
};

const NONE: ReadonlySet<string> = new Set();

export function createCustomToolMemory(): CustomToolMemory {
  const names = new WeakMap<ProviderTarget, ReadonlySet<string>>();
  return {
    remember(request, target) {
      const custom = (request.tools ?? []).filter((tool) => tool.kind === 'custom').map((tool) => tool.name);
      if (custom.length > 0) names.set(target, new Set(custom));
      else names.delete(target);
    },
    find: (target) => names.get(target) ?? NONE,
  };
}

/** The schema under which a free-form tool is offered as a function. */
export const CUSTOM_TOOL_SCHEMA = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] } as const;

/** A free-form tool's description as a function's: a grammar has no other place to go. */
export function describeCustomTool(tool: { readonly description?: string; readonly format?: unknown }): string | undefined {
  const grammar = tool.format === undefined ? undefined : `Format of the input: ${stringifyExactJson(tool.format)}`;
  const parts = [tool.description, grammar].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

/** What the model wrote into the one string; text that is not such an object is the input itself. */
export function unwrapCustomInput(argumentsText: string): string {
  try {
    const parsed = JSON.parse(argumentsText) as { input?: unknown } | null;
    return typeof parsed?.input === 'string' ? parsed.input : argumentsText;
  } catch {
    return argumentsText; // cut off by the token limit: the caller sees what there is
  }
}
