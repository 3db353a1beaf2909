/** As OTLP writes values in JSON: 64-bit numbers are text. */
export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }
  | { readonly kvlistValue: { readonly values: readonly OtlpAttribute[] } }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } };

export type OtlpAttribute = { readonly key: string; readonly value: OtlpValue };

/** Any JSON; null has no value of its own and is left out by those who list members. */
export function encodeValue(value: unknown): OtlpValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'bigint') return { intValue: value.toString() };
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(encodeValue) } };
  if (typeof value === 'object' && value !== null) return { kvlistValue: { values: encodeAttributes(value) } };
  return { stringValue: '' };
}

export function encodeAttributes(members: object): OtlpAttribute[] {
  const entries = Object.entries(members) as [string, unknown][];
  return entries.filter(([, value]) => value !== null && value !== undefined).map(([key, value]) => ({ key, value: encodeValue(value) }));
}

export function toNanoseconds(epochMs: number): string {
  const [whole, part = ''] = epochMs.toFixed(3).split('.');
  return `${whole}${part.padEnd(6, '0')}`;
}
