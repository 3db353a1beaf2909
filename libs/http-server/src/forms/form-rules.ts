/** What a form of one endpoint may hold. */
export type FormRules = {
  /** How many files each field may bring, by the field's name without its brackets; other fields bring none. */
  readonly files: Readonly<Record<string, number>>;
};

/** The endpoints that take forms, by their id. */
const RULES: Readonly<Record<string, FormRules>> = {
  'image-edits': { files: { image: 16, mask: 1 } },
  transcriptions: { files: { file: 1 } },
  translations: { files: { file: 1 } },
  'create-file': { files: { file: 1 } },
};

const NO_FILES: FormRules = { files: {} };

export function findFormRules(endpointId: string): FormRules {
  return RULES[endpointId] ?? NO_FILES;
}

/** `image`, `image[]` and `image[0]` are one field: clients write lists in any of these ways. */
export function baseFieldName(field: string): string {
  return field.replace(/\[\d*\]$/, '');
}
