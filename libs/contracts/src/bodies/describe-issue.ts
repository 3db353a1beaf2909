import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  uuid: 'an id of the form 00000000-0000-4000-8000-000000000000',
  url: 'an address such as https://example.com',
  datetime: 'an RFC 3339 time such as 2026-08-07T00:00:00Z',
  date: 'a day such as 2026-08-07',
};

/** What has to be so instead, to follow the name of the field: `must be text`. A message of a schema's own is kept. */
export function describeIssue(issue: Issue, value: unknown): string {
  if (issue.code === 'custom') return `is not valid: ${issue.message}`;
  const demand = reportDemand(issue);
  return value === undefined && issue.code !== 'unrecognized_keys' ? `is required and ${demand}` : demand;
}

function reportDemand(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${joinWords(issue.values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value))))}`;
    case 'invalid_format':
      return reportFormat(issue);
    case 'too_small':
    case 'too_big':
      return reportBound(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return `must be ${joinWords(reportForms(issue.errors))}`;
    case 'invalid_key':
      return reportName(issue);
    case 'unrecognized_keys':
      return `has no field ${joinWords(issue.keys.map((key) => `"${key}"`))}`;
    default:
      return 'has a value that is not allowed here';
  }
}

function reportName({ issues: [first] }: Issue & { readonly code: 'invalid_key' }): string {
  return `has a name that is not allowed here${first === undefined ? '' : `: it ${reportDemand(first)}`}`;
}

/** A schema that says a pattern in words of its own is the better judge. */
function reportFormat(issue: Issue & { readonly code: 'invalid_format' }): string {
  const known = FORMATS[issue.format];
  if (known !== undefined) return issue.message.startsWith('must ') ? issue.message : `must be ${known}`;
  if (issue.message.startsWith('must ')) return issue.message;
  return 'pattern' in issue && issue.pattern !== undefined ? `must match the pattern ${issue.pattern}` : 'is not written as it has to be';
}

const UNITS: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
  record: 'entries',
  map: 'entries',
};

function reportBound(issue: Issue & { readonly code: 'too_small' | 'too_big' }): string {
  const unit = UNITS[issue.origin];
  const bound = String(issue.code === 'too_small' ? issue.minimum : issue.maximum);
  const isSmall = issue.code === 'too_small';
  if (unit !== undefined) {
    if (isSmall && bound === '1') return 'must not be empty';
    return `must have ${isSmall ? 'at least' : 'at most'} ${bound} ${unit}`;
  }
  if (issue.inclusive === false) return `must be ${isSmall ? 'greater' : 'less'} than ${bound}`;
  return `must be at ${isSmall ? 'least' : 'most'} ${bound}`;
}

/** The forms a value may have, each by what it demands of the whole value. */
function reportForms(errors: readonly (readonly Issue[])[]): string[] {
  const demands = errors.flatMap(([first]) => (first === undefined ? [] : [reportDemand(first).replace(/^must be /, '')]));
  return [...new Set(demands)];
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? 'something else') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}
