import type { SourceRecord } from './source-record.schema';

/** A statement of a provider, recognized by a part of its text, and how we say it. */
export type PrivacyStatement = { readonly contains: string; readonly say: string };

export type PlainWords = {
  describe(record: SourceRecord): string;
  explainPrivacy(record: SourceRecord): string | null;
  /** Statements that no one has put into our words yet; they are left out of the data. */
  readonly unexplained: ReadonlySet<string>;
};

/**
 * Carries facts over and leaves advertising behind: a description is a model's name and its lab. Where no source has one without
 * praise, the name is the model's canonical one.
 */
export function createPlainWords(records: readonly SourceRecord[], statements: readonly PrivacyStatement[]): PlainWords {
  const factual = new Map<string, string>();
  for (const record of records) {
    const description = factualDescription(record);
    if (description !== null && !factual.has(record.model_canonical_name)) factual.set(record.model_canonical_name, description);
  }
  const unexplained = new Set<string>();
  return {
    describe: (record) => factualDescription(record) ?? factual.get(record.model_canonical_name) ?? describeByName(record),
    explainPrivacy({ privacy_comments: comments }) {
      if (comments == null) return null;
      const statement = statements.find(({ contains }) => comments.includes(contains));
      if (statement === undefined) unexplained.add(comments);
      return statement?.say ?? null;
    },
    unexplained,
  };
}

function factualDescription({ description, model_lab: lab }: SourceRecord): string | null {
  if (!description || !lab || !description.endsWith(` by ${lab}`)) return null;
  const name = description.slice(0, -` by ${lab}`.length);
  return name.length <= 60 && !/[,;!?]/.test(name) ? description : null;
}

function describeByName({ model_canonical_name: name, model_lab: lab, owned_by: vendor }: SourceRecord): string {
  return `${name.slice(name.lastIndexOf('/') + 1)} by ${lab || vendor}`;
}
