import type { RepositoryFile, Rule } from '../repository/repository';

type Refusal = {
  /** Whole words, or phrases of several; capitals make no difference. */
  readonly words: readonly string[];
  readonly instead: string;
};

/** The last table of docs/glossary.md. */
const REFUSED: readonly Refusal[] = [
  {
    words: ['told', 'tell', 'tells', 'telling', 'tellable', 'untold'],
    instead: 'reported, report, returns, shows, informs or distinguishes',
  },
  { words: ['answers'], instead: 'returns, replies or responses' },
  { words: ['whoever', 'nobody'], instead: 'the caller that …, anyone who … or no one' },
  { words: ['house', 'houses'], instead: 'gateway, repository or harness' },
  { words: ['room', 'rooms', 'roof', 'cellar'], instead: 'library, app, folder or capacity' },
  { words: ['door', 'doors'], instead: 'entry, interface or exports' },
  { words: ['till'], instead: 'meter or until' },
  { words: ['story', 'stories'], instead: 'request state or life of a request' },
  { words: ['importance', 'work class', 'work classes'], instead: 'priority' },
  { words: ['traveller'], instead: 'transit' },
  { words: ['believable'], instead: 'plausible' },
  { words: ['lie', 'lies'], instead: 'pause, is, stands or is kept' },
  { words: ['ask to leave', 'asked to leave', 'asks to leave'], instead: 'close after the response' },
];

/** Files that need these words. A new row needs the reason beside it. */
const EXEMPT_FILES: readonly RegExp[] = [
  // The glossary and this rule with its samples name the words in order to refuse them.
  /^docs\/glossary\.md$/,
  /^tools\/checks\/src\/rules\/plain-words(\.spec)?\.ts$/,
  // Written from the subjects of commits, old ones included.
  /^CHANGELOG\.md$/,
  // A migration that was applied somewhere is never edited.
  /^libs\/database\/prisma\/migrations\//,
  // Texts as people write them, which detectors must find or must leave alone.
  /\/__fixtures__\/(positives|negatives)[./]/,
  /^libs\/guardrails\/src\/detectors\/find-prompt-injections\.ts$/,
];

/** Names on the wire, in metrics and in the database are older than the glossary, and products have theirs. A new one needs its kind beside it. */
const OLD_NAMES: readonly string[] = [
  // a metric
  'weir_replayed_answers_total',
  // what a key is derived by: another name would be another key
  'weir traveller seal',
  // a product, by its own spelling and as our names begin with it
  'ClickHouse',
  'clickHouse',
];

const INSTEAD = new Map(REFUSED.flatMap(({ words, instead }) => words.map((word) => [word, instead] as const)));
const PATTERN = new RegExp(`(?<![a-z])(${[...INSTEAD.keys()].map((word) => word.replaceAll(' ', '[^a-z]+')).join('|')})(?![a-z])`, 'g');
const OLD_NAME = new RegExp(OLD_NAMES.join('|'), 'g');

/** Code, comments, messages, tests and pages use the words of the glossary. */
export const checkPlainWords: Rule = ({ files }) =>
  files
    .filter(({ path }) => !EXEMPT_FILES.some((exempt) => exempt.test(path)))
    .flatMap((file) => [...listRefused(file.path).map((found) => `${file.path}: ${found}`), ...listLines(file)]);

function listLines({ path, text }: RepositoryFile): string[] {
  return text.split('\n').flatMap((line, index) => listRefused(line).map((found) => `${path}:${index + 1}: ${found}`));
}

function listRefused(text: string): string[] {
  const found = splitCamelCase(text.replace(OLD_NAME, '')).toLowerCase().match(PATTERN) ?? [];
  const words = new Set(found.map((match) => match.replace(/[^a-z]+/g, ' ')));
  return [...words].map((word) => `says "${word}"; the glossary has ${INSTEAD.get(word)}`);
}

function splitCamelCase(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2');
}
