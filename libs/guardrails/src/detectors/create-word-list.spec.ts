import { createTextWindow } from '../text/text-window';
import { createWordList } from './create-word-list';

function find(words: readonly string[], pieces: readonly string[]): string[] {
  const text = pieces.join('');
  const window = createTextWindow([{ detector: createWordList('words', words), role: 'mask' }]);
  const found = pieces.flatMap((piece) => {
    window.push(piece);
    return window.takeFindings();
  });
  window.end();
  return [...found, ...window.takeFindings()].map(({ start, end }) => text.slice(start, end));
}

describe('createWordList', () => {
  it.each([
    ['a hyphen', 'blue-heron', 'the Blue-Heron plan'],
    ['marks of patterns', 'C++ (a.b)', 'in c++ (a.b), not in C++ (axb)'],
    ['a letter whose small form has two characters', 'İstanbul', 'to İstanbul'],
  ])('finds words with %s', (_, word, text) => {
    expect(find([word], [text]).map((found) => found.toLowerCase())).toEqual([word.toLowerCase()]);
  });

  it('finds words that begin with a character of two units, each time once', () => {
    expect(find(['😀 plan', '🦅'], ['a 😀 plan, 🦅🦅 and a 🦅', ' again'])).toEqual(['😀 plan', '🦅', '🦅', '🦅']);
  });

  it('holds back what may become a word, however its letters are written', () => {
    expect(find(['secret'], ['a ſec', 'ret', ' b'])).toEqual(['ſecret']);
    expect(find(['κόσμος'], ['ο κόσ', 'μος τ'])).toEqual(['κόσμος']);
    expect(find(['großer plan'], ['der GROẞ', 'ER PLAN ist'])).toEqual(['GROẞER PLAN']);
  });
});
