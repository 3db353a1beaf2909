import { hasLongInteger, parseExactJson } from '@weir/canonical';
import type { ParsedBody } from '@weir/http-server';

/** Members that hold what goes on as it came: arguments, results and schemas. */
const HOLDERS = ['messages', 'input', 'tools', 'functions', 'response_format', 'text', 'output_config', 'output_format'] as const;

/** The body for decoding, in which identifiers and bounds of 64 bits did not go through a double. */
export function keepLongIntegers({ text, json }: ParsedBody): Record<string, unknown> {
  if (!hasLongInteger(text)) return json;
  const exact = parseExactJson(text) as Record<string, unknown>;
  const kept = { ...json };
  for (const name of HOLDERS) if (name in exact) kept[name] = exact[name];
  return kept;
}
