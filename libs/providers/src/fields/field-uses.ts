import { isFieldAsked, REQUEST_FIELDS, type ChatRequest, type LossReport, type RequestFieldId } from '@weir/canonical';
import { unsupported } from '../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../wire/json-value';

type WithLosses = { readonly losses: LossReport };

/** The members to write for a value, or that it is dropped; `context` knows the model and collects what is lost in part. */
export type FieldEncoder<Value, Context> = (value: Value, context: Context, request: ChatRequest) => JsonRecord | 'dropped';

/**
 * What a codec does with one field:
 * - `encoded`: its encoder has a function of its own for it, which reports what is lost
 * - `approximated`: the same, where the provider has only something like it
 * - `dropped`: the provider has no word for it, and the loss is reported here
 * - `{ droppedUnless }`: the same, but for these values
 * - `refused`: without it the request would be another one
 * - `{ as }`: written as it is, under this name
 * - a function: written by it, for values that are changed and for what depends on the model
 */
type FieldUse<Value, Context> =
  | 'encoded'
  | 'approximated'
  | 'dropped'
  | { readonly droppedUnless: readonly Value[] }
  | 'refused'
  | { readonly as: string }
  | FieldEncoder<Value, Context>;

/** A codec's declaration: a field that it forgets does not compile. Members are written, and losses reported, in its order. */
export type FieldUses<Context = WithLosses> = {
  readonly [Id in RequestFieldId]: FieldUse<Id extends keyof ChatRequest ? NonNullable<ChatRequest[Id]> : never, Context>;
};

/** Throws for the first field that the caller asked for and that is declared `refused`. */
export function refuseFields<Context>(request: ChatRequest, uses: FieldUses<Context>): void {
  for (const id of listIds(uses)) {
    if (uses[id] !== 'refused' || !isFieldAsked(request, id)) continue;
    const { name, title = `The field "${name}"` } = REQUEST_FIELDS[id];
    throw unsupported(name, title);
  }
}

/** The members of all fields that are declared by a name or a function. */
export function encodeFields<Context extends WithLosses>(request: ChatRequest, uses: FieldUses<Context>, context: Context): JsonRecord {
  const members: JsonRecord = {};
  for (const id of listIds(uses)) {
    const value = readField(request, id);
    const use: unknown = uses[id];
    if (value === undefined) continue;
    if (isName(use)) members[use.as] = value;
    if (typeof use !== 'function') continue;
    const written = (use as FieldEncoder<unknown, Context>)(value, context, request);
    if (written === 'dropped') context.losses.dropped.add(REQUEST_FIELDS[id].name);
    else Object.assign(members, withoutUndefined(written));
  }
  return members;
}

/** Reports what the caller asked for and the provider is not sent. */
export function reportDroppedFields<Context>(request: ChatRequest, uses: FieldUses<Context>, losses: LossReport): void {
  for (const id of listIds(uses)) {
    if (!isDropped(uses[id], readField(request, id)) || !isFieldAsked(request, id)) continue;
    const names = id === 'unmapped' ? listUnmapped(request) : [REQUEST_FIELDS[id].name];
    for (const name of names) losses.dropped.add(name);
  }
}

function readField(request: ChatRequest, id: RequestFieldId): unknown {
  return id === 'citations' ? undefined : request[id];
}

function isName(use: unknown): use is { readonly as: string } {
  return typeof use === 'object' && use !== null && 'as' in use;
}

function isDropped(use: unknown, value: unknown): boolean {
  if (typeof use !== 'object' || use === null || !('droppedUnless' in use)) return use === 'dropped';
  return !(use.droppedUnless as readonly unknown[]).includes(value);
}

function listUnmapped({ unmapped = {} }: ChatRequest): string[] {
  return Object.keys(unmapped).filter((name) => unmapped[name] !== undefined);
}

function listIds<Context>(uses: FieldUses<Context>): readonly RequestFieldId[] {
  return Object.keys(uses) as RequestFieldId[];
}
