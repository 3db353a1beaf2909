type JsonType = 'text' | 'number' | 'flag' | 'list' | 'object';

/** What a member of a request may be. Null counts as absent wherever a vendor's clients send it. */
export type MemberKind = {
  /** The JSON types that can be right. */
  readonly types: readonly JsonType[];
  /** What is wrong with a value, as the end of a sentence that begins with the name of the member; undefined: nothing. */
  readonly findProblem: (value: unknown) => string | undefined;
  /** Of an object. */
  readonly members?: PricedMembers | undefined;
  /** Of each entry of a list. */
  readonly items?: MemberKind | undefined;
};

export type PricedMembers = Readonly<Record<string, MemberKind>>;

function kind(types: readonly JsonType[], problem: string, holds: (value: unknown) => boolean): MemberKind {
  return { types, findProblem: (value) => (holds(value) ? undefined : problem) };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const TEXT = kind(['text'], 'must be text', isText);
export const FLAG = kind(['flag'], 'must be true or false', (value) => typeof value === 'boolean');
export const TEXT_OR_LIST = kind(['text', 'list'], 'must be text or a list', (value) => isText(value) || Array.isArray(value));
export const TEXT_OR_OBJECT = kind(['text', 'object'], 'must be text or an object', (value) => isText(value) || isObject(value));

/** `1.0` is a whole number; `1e999`, which JSON parses as Infinity, is none. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): MemberKind {
  const problem =
    max === Number.MAX_SAFE_INTEGER ? `must be a whole number of at least ${min}` : `must be a whole number from ${min} to ${max}`;
  const tooLarge = `must be a whole number of at most ${max}`;
  return {
    types: ['number'],
    findProblem: (value) => {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < min) return problem;
      return value > max ? tooLarge : undefined;
    },
  };
}

export function numberBetween(min: number, max: number): MemberKind {
  return kind(['number'], `must be a number from ${min} to ${max}`, (value) => typeof value === 'number' && value >= min && value <= max);
}

export function textOrWholeNumber(min: number): MemberKind {
  const whole = wholeNumber(min);
  const problem = `must be text or a whole number of at least ${min}`;
  return kind(['text', 'number'], problem, (value) => isText(value) || whole.findProblem(value) === undefined);
}

export function object(members?: PricedMembers): MemberKind {
  return { ...kind(['object'], 'must be an object', isObject), members };
}

export function list(items?: MemberKind): MemberKind {
  return { ...kind(['list'], 'must be a list', Array.isArray), items };
}
