import { z } from 'zod';
import { describeIssue } from './describe-issue';
import { findExceededBound } from './find-exceeded-bound';

type Issue = z.core.$ZodIssue;

export type BodySchema = z.ZodType;

export type BodyProblem = {
  /** Where in the body, as `labels.team`; empty for the body itself. */
  readonly field: string;
  /** What follows the name of the field: `must be text`. */
  readonly problem: string;
  /** It has a member that the schema does not know. */
  readonly isUnknown: boolean;
};

export type ValidatedBody<Schema extends z.ZodType> =
  | { readonly data: z.output<Schema>; readonly problems?: undefined }
  | { readonly data?: undefined; readonly problems: readonly BodyProblem[] };

/**
 * What a body says by its schema, or everything that is wrong with it. Where it is longer than its schema allows, that alone is
 * reported and none of the schema's checks has run.
 */
export function validateBody<Schema extends z.ZodType>(schema: Schema, body: object): ValidatedBody<Schema> {
  const exceeded = findExceededBound(schema, body);
  if (exceeded !== undefined) return { problems: [toProblem(exceeded, body)] };
  const result = schema.safeParse(body);
  return result.success ? { data: result.data } : { problems: findBodyProblems(result.error.issues, body) };
}

/** Lets others be served, where it is time to. */
type TakeTurn = () => Promise<void> | undefined;

/**
 * The same of a body whose lists may hold thousands of objects: each is checked by itself, then all of them together, and others are
 * served in between.
 */
export async function validateBodyInTurns<Schema extends z.ZodType>(
  schema: Schema,
  body: object,
  takeTurn: TakeTurn,
): Promise<ValidatedBody<Schema>> {
  await takeTurn();
  const exceeded = findExceededBound(schema, body);
  if (exceeded !== undefined) return { problems: [toProblem(exceeded, body)] };
  const rest: Record<string, unknown> = { ...body };
  const lists: Record<string, unknown[]> = {};
  const problems: BodyProblem[] = [];
  const describe = (issues: readonly Issue[]): number => problems.push(...issues.flatMap(openUnion).map((issue) => toProblem(issue, body)));
  for (const [name, def] of findLists(schema, rest)) {
    const list = rest[name] as unknown[];
    const read = await readList(def, list, takeTurn);
    lists[name] = read.elements;
    describe(read.issues.map((issue) => ({ ...issue, path: [name, ...issue.path] })));
    // One stands for all: a list may have to hold something.
    rest[name] = list.slice(0, 1);
  }
  const result = schema.safeParse(rest);
  describe((result.error?.issues ?? []).filter(({ path: [name] }) => !(String(name) in lists)));
  if (problems.length > 0 || !result.success) return { problems: unknownFirst(problems) };
  return { data: { ...(result.data as object), ...lists } as z.output<Schema> };
}

type ReadList = { readonly elements: unknown[]; readonly issues: Issue[] };

async function readList({ element, checks = [] }: z.core.$ZodArrayDef, list: readonly unknown[], takeTurn: TakeTurn): Promise<ReadList> {
  const read: ReadList = { elements: [], issues: [] };
  for (const [index, value] of list.entries()) {
    await takeTurn();
    const result = z.safeParse(element, value);
    if (result.success) read.elements.push(result.data);
    else read.issues.push(...result.error.issues.map((issue) => ({ ...issue, path: [index, ...issue.path] })));
  }
  await takeTurn();
  if (read.issues.length > 0) return read;
  // What the list says of all of them together, once each is sound.
  const whole = z.safeParse(z.array(z.unknown()).check(...(checks as z.core.$ZodCheck<unknown[]>[])), read.elements);
  return { ...read, issues: whole.error?.issues ?? [] };
}

/** Lists of a body, by the schema of what is in them. */
function findLists(schema: z.ZodType, body: Readonly<Record<string, unknown>>): (readonly [string, z.core.$ZodArrayDef])[] {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  if (def.type !== 'object' || (def.checks ?? []).length > 0) return [];
  return Object.entries(def.shape).flatMap(([name, member]) => {
    let inner = (member as z.core.$ZodTypes)._zod.def;
    while (inner.type === 'optional' || inner.type === 'default' || inner.type === 'nullable')
      inner = (inner.innerType as z.core.$ZodTypes)._zod.def;
    return inner.type === 'array' && Array.isArray(body[name]) ? [[name, inner] as const] : [];
  });
}

/**
 * What its schema found wrong with a body, as the management interface says it. An unknown field comes first: it is often the
 * misspelt one whose absence is the other problem.
 */
function findBodyProblems(issues: readonly Issue[], body: object): BodyProblem[] {
  return unknownFirst(issues.flatMap(openUnion).map((issue) => toProblem(issue, body)));
}

function unknownFirst(problems: readonly BodyProblem[]): BodyProblem[] {
  return [...problems.filter(({ isUnknown }) => isUnknown), ...problems.filter(({ isUnknown }) => !isUnknown)];
}

/** Of the forms a value may have, the one it comes closest to says what is wrong with it; without one, all of them do. */
function openUnion(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const close = issue.errors.find((form) => !form.some(({ path, code }) => path.length === 0 && code !== 'unrecognized_keys'));
  return close === undefined ? [issue] : close.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function toProblem(issue: Issue, body: object): BodyProblem {
  const path = issue.path.map(String);
  const isUnknown = issue.code === 'unrecognized_keys';
  if (isUnknown) path.push(issue.keys[0] ?? '');
  return { field: path.join('.'), problem: describeIssue(issue, valueAt(body, issue.path)), isUnknown };
}

function valueAt(body: object, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined), body);
}
