import type { Repository, RepositoryFile, Rule } from '../repository/repository';
import { isTestSide } from '../repository/kinds-of-files';
import { listCodeTexts } from '../repository/parse-source';
import { listNativeFolders, NATIVE_FOLDER } from './native-folders';

const COMPATIBLE = 'libs/providers/src/openai-compatible/rules/compatible-providers.json';

/** Vendors that may have no entry yet. */
const WELL_KNOWN = [
  'openai',
  'anthropic',
  'google',
  'gemini',
  'claude',
  'bedrock',
  'azure',
  'vertex',
  'cohere',
  'mistral',
  'groq',
  'deepseek',
  'voyage',
];
/** Words of the language that happen to be companies, and our own stand-in. */
const ORDINARY_WORDS = new Set(['together', 'fireworks', 'perplexity', 'sandbox', 'responses', 'messages']);
/** Shorter names are looked for as whole words, because they hide inside others. */
const SUBSTRING_LENGTH_MIN = 6;

/**
 * Words a caller sends or reads: they belong to a wire format, which is public, and not to a vendor we call.
 * A new row needs the reason beside it.
 */
const PUBLIC_WORDS: readonly RegExp[] = [
  // Headers that SDKs of the messages dialect send.
  /^anthropic-(version|beta|dangerous-direct-browser-access)$/,
  // Headers that they read, to pace themselves.
  /^anthropic-ratelimit-[a-z-]*$/,
];

/** Files that must know vendors to do their work. A new row needs the reason beside it. */
const KNOWING_FILES: readonly RegExp[] = [
  /^libs\/providers\//,
  /^libs\/model-catalog\/(src\/)?data\//,
  // The names of the data files, written together with them.
  /^libs\/model-catalog\/src\/data-files\.ts$/,
  // A foreign key can only be hidden by who knows how it begins.
  /^libs\/telemetry\/src\/redact\.ts$/,
  // Defaults of settings; those that several programs have are together.
  /^apps\/[^/]+\/src\/env\.ts$/,
  /^libs\/config\/src\/fragments\/edge\.ts$/,
  // Lines to copy for clients, which are named after their vendors.
  /^apps\/console\/src\/pages\/models\/snippets\.ts$/,
  /^apps\/console\/src\/pages\/playground\/write-code\.ts$/,
];

/** The core never names a vendor: a new one must not need a change outside its data or its folder. */
export const checkVendorNames: Rule = (repository) => {
  const vendors = listVendors(repository);
  const long = vendors.filter((name) => name.length >= SUBSTRING_LENGTH_MIN);
  const short = new Set(vendors.filter((name) => name.length < SUBSTRING_LENGTH_MIN));
  const findVendor = (text: string): string | undefined =>
    PUBLIC_WORDS.some((word) => word.test(text))
      ? undefined
      : (long.find((name) => text.toLowerCase().includes(name)) ?? splitWords(text).find((word) => short.has(word)));

  return repository.files.filter(isBoundToSilence).flatMap((file) =>
    listCodeTexts(file).flatMap(({ text, line }) => {
      const vendor = findVendor(text);
      return vendor === undefined ? [] : [`${file.path}:${line}: names the vendor ${vendor}`];
    }),
  );
};

function isBoundToSilence({ path }: RepositoryFile): boolean {
  if (!/^(libs|apps)\/.*\.ts$/.test(path) || isTestSide(path)) return false;
  return !KNOWING_FILES.some((known) => known.test(path));
}

function listVendors(repository: Repository): string[] {
  const text = repository.files.find(({ path }) => path === COMPATIBLE)?.text ?? '[]';
  const entries = JSON.parse(text) as { id: string }[];
  const book = repository.files.find(({ path }) => path === `${NATIVE_FOLDER}/index.ts`)?.text ?? '';
  const native = [...book.matchAll(/\bid: '([^']+)'/g)].flatMap((match) => (match[1] ?? '').split('-'));
  const names = [
    ...native,
    ...WELL_KNOWN,
    ...entries.map(({ id }) => id),
    ...listNativeFolders(repository).flatMap((folder) => folder.split('-')),
  ];
  return [...new Set(names.map((name) => name.toLowerCase()))].filter((name) => name.length > 2 && !ORDINARY_WORDS.has(name));
}

function splitWords(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
