type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The fields that have a value: an optional field of the canonical language is absent, never undefined. */
export function dropAbsent<Fields extends Record<string, unknown>>(fields: Fields): Present<Fields> {
  const present: Record<string, unknown> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) present[name] = value;
  }
  return present as Present<Fields>;
}
