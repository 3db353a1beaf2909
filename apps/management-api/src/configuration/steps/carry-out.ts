import type { ConfigurationKind, Fields, Step } from '@weir/configuration';
import type { RouteParts } from '../../route/management-parts';
import type { RawCall, Route, RouteResponse } from '../../route/route';
import type { NameBook } from './name-book';

/** What steps are carried out with: everything happens in one transaction, as if its endpoints were called one after the other. */
export type StepTools = {
  readonly parts: RouteParts;
  readonly call: RawCall;
  readonly names: NameBook;
  /** The values of a step's secrets. */
  readonly secretsOf: (step: Pick<Step, 'kind' | 'name'>) => Fields;
};

/** What a new object is known by, and what of it is shown only now. */
export type Made = { readonly id: string; readonly secret?: string };

/** How objects of a kind are made, changed and taken away. */
export type KindSteps = {
  create(step: Step, tools: StepTools): Promise<Made>;
  update(step: Step, tools: StepTools): Promise<void>;
  remove(step: Step, tools: StepTools): Promise<void>;
};

/** Calls an endpoint, with all the checks and log lines of its own. */
export async function callRoute(
  { parts, call }: StepTools,
  route: Route,
  { params = {}, body = {} }: { readonly params?: Readonly<Record<string, string>>; readonly body?: Fields },
): Promise<Readonly<Record<string, unknown>>> {
  const response: RouteResponse = await route.run({ ...call, params, query: {}, body }, parts);
  return (response.body ?? {}) as Readonly<Record<string, unknown>>;
}

/** The id that a step is about. */
export function idOf({ id }: Step): string {
  if (id === undefined) throw new Error('a step about what is there has its id');
  return id;
}

/** Ids in place of names, under the fields of the interface; what is not given stays away. */
export function withIds(
  fields: Fields,
  references: Readonly<Record<string, readonly [string, ConfigurationKind]>>,
  { names }: StepTools,
): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => {
      const reference = references[field];
      if (reference === undefined) return [field, value];
      const [idField, kind] = reference;
      return [idField, typeof value === 'string' ? names.find(kind, value, field) : value];
    }),
  );
}

/** Calls an endpoint for each field of a step that has one of its own, in the order of the table. */
export async function callForFields(step: Step, rows: readonly (readonly [string, () => Promise<unknown>])[]): Promise<void> {
  for (const [field, run] of rows) if (field in step.fields) await run();
}
