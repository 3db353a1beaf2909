import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/** What is wrong with a setting, in words for operators; used where its schema has no words of its own. Never names the value, which may be a secret. */
export function explainIssue(issue: RawIssue): string {
  if (issue.input === undefined) return 'must be set';
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${joinChoices(issue.values.map(String))}`;
    case 'too_small':
    case 'too_big':
      return `must ${explainBound(issue)}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'is not written as it must be';
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? 'of another kind'}`;
    case 'invalid_key':
      return 'has a name that is not known';
    case 'unrecognized_keys':
      return `has members that are not known: ${issue.keys.join(', ')}`;
    default:
      return 'is not a value that can be used';
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  guid: 'must be a UUID',
  url: 'must be an address, as https://host:port',
};

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
};

function explainBound(issue: RawIssue & { readonly code: 'too_small' | 'too_big' }): string {
  const [bound, word] = issue.code === 'too_small' ? [issue.minimum, 'least'] : [issue.maximum, 'most'];
  if (issue.origin === 'string') return `have at ${word} ${bound} characters`;
  if (issue.origin === 'array' || issue.origin === 'set') return `have at ${word} ${bound} ${bound === 1 ? 'entry' : 'entries'}`;
  return `be at ${word} ${bound}`;
}

function joinChoices(choices: readonly string[]): string {
  if (choices.length < 2) return choices.join('');
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}
