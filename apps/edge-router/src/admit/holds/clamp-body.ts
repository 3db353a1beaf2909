import { createOriginalBody, editBody } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { invariant } from '@weir/errors';
import type { ParsedBody } from '@weir/http-server';
import { OUTPUT_LIMITS } from '@weir/limits';

/**
 * The caller's body with a lower limit of output, in the words of its dialect, so that every provider obeys it in either
 * lane. All else stays as it came.
 */
export function clampBody({ text, json }: ParsedBody, dialect: ChatDialect, tokens: number): ParsedBody {
  const [first, ...others] = OUTPUT_LIMITS[dialect];
  const names = [first, ...others.filter((name) => json[name] !== undefined)];
  const original = createOriginalBody(text);
  invariant(original !== undefined, 'a parsed body is a JSON object');
  const edit = { set: new Map(names.map((name) => [name, String(tokens)])), remove: new Set<string>() };
  return { text: editBody(original, edit), json: { ...json, ...Object.fromEntries(names.map((name) => [name, tokens])) } };
}

/** The fewest tokens that a limit must leave besides text: the tokens set aside for thinking count within the limit. */
export function thinkingBudget(json: ParsedBody['json']): number {
  const thinking = json['thinking'] as { budget_tokens?: unknown } | null | undefined;
  const budget = typeof thinking === 'object' ? thinking?.budget_tokens : undefined;
  return typeof budget === 'number' && budget > 0 ? budget : 0;
}
