/** A Postgres array of numbers or uuids: nothing in them needs quoting, so the driver's escaping is saved. */
export function arrayLiteral(values: readonly (number | bigint | string)[]): string {
  return `{${values.join(',')}}`;
}

/** The same with nulls. */
export function nullableArrayLiteral(values: readonly (string | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}
