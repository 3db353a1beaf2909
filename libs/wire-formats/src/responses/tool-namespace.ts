import { visitTools } from '@weir/canonical';
import { isObject, type JsonObject } from '../fields/field-readers';

/** A tool inside a namespace, as its caller knows it. */
export type NamespacedName = { readonly namespace: string; readonly name: string };

const NAME_MAX = 64;

/** One flat name for a tool inside a namespace, for providers that know no namespaces: always the same, at most 64 characters. */
export function flattenName({ namespace, name }: NamespacedName): string {
  const flat = `${namespace}__${name}`.replace(/[^A-Za-z0-9_-]/g, '_');
  return flat.length <= NAME_MAX ? flat : `${flat.slice(0, NAME_MAX - 9)}_${hash(`${namespace}\n${name}`)}`;
}

/** How a search among the tools that the caller makes itself is offered as a function, which is what it is to a model. */
export const TOOL_SEARCH = 'tool_search';

/** Whether a search among the tools, as a tool or an item, is the caller's to make: others are the provider's, and pair by no id. */
export function isSearchByCaller({ execution, call_id: callId }: JsonObject): boolean {
  return execution === 'client' || (execution !== 'server' && typeof callId === 'string');
}

/** Whether an item of the input brings tools along. */
export function bringsTools({ type }: JsonObject): boolean {
  return type === 'additional_tools' || type === 'tool_search_output';
}

/** What the names of functions of one request stand for, for the way back. */
export type CalledNames = {
  readonly namespaced: ReadonlyMap<string, NamespacedName>;
  /** `TOOL_SEARCH` is a search by the caller, and no function of that name. */
  readonly hasToolSearch: boolean;
};

export function mapCalledNames(body: JsonObject): CalledNames {
  const namespaced = new Map<string, NamespacedName>();
  let hasToolSearch = false;
  visitTools(body, (tool) => {
    const { type, name: namespace, tools } = tool;
    if (type === TOOL_SEARCH) hasToolSearch ||= isSearchByCaller(tool);
    if (type !== 'namespace' || typeof namespace !== 'string' || !Array.isArray(tools)) return;
    for (const inner of tools as unknown[]) {
      const name = isObject(inner) ? inner['name'] : undefined;
      if (typeof name === 'string') namespaced.set(flattenName({ namespace, name }), { namespace, name });
    }
  });
  return { namespaced, hasToolSearch };
}

/** FNV-1a, 32 bits: enough to keep long names of one request apart. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
