import { countPatterns, NO_PATTERNS, readAllPatterns, readPatterns, writePatterns } from './patterns';

it('reads one pattern from each line, or between commas, once', () => {
  expect(readPatterns(' openai/*\n\nanthropic/*, openai/*\n')).toEqual(['openai/*', 'anthropic/*']);
  expect(readPatterns('')).toEqual([]);
});

it('writes patterns as they are read', () => {
  const patterns = readAllPatterns({ ...NO_PATTERNS, chat: 'a/b\npolicy/*', speech: 'c/d' });
  expect([countPatterns(patterns), readAllPatterns(writePatterns(patterns))]).toEqual([3, patterns]);
});
