import { stringifyExactJson, type OpaqueBlock } from '@weir/canonical';
import { isObject } from '../fields/field-readers';
import { CHAT_FAMILY } from '../state/native-family';

/** What content filters said: of one choice, and of the prompt, in the members that Azure gave them. */
export type Verdicts = { readonly ofChoice: Record<string, unknown>; readonly ofReply: Record<string, unknown> };

/** Undefined for a block that holds something else. */
export function readVerdicts({ family, raw }: OpaqueBlock): Verdicts | undefined {
  if (family !== CHAT_FAMILY || !isObject(raw) || raw['type'] !== 'content_filter_results') return undefined;
  return { ofChoice: pick(raw, 'content_filter_results'), ofReply: pick(raw, 'prompt_filter_results') };
}

function pick(raw: Record<string, unknown>, name: string): Record<string, unknown> {
  return raw[name] === undefined ? {} : { [name]: raw[name] };
}

/** Members as they follow others in an object: with a comma before each. */
export function followMembers(members: Record<string, unknown>): string {
  return Object.entries(members)
    .map(([name, value]) => `,${JSON.stringify(name)}:${stringifyExactJson(value)}`)
    .join('');
}
