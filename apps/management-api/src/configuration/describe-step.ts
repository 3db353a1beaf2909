import { showWithoutSecrets, type FieldChange, type Step } from '@weir/configuration';

export type ShownStep = Pick<Step, 'action' | 'kind' | 'name'> & {
  readonly path?: string;
  readonly id?: string;
  readonly changes: readonly FieldChange[];
};

/** A step as callers see it: never a secret, nor what secrets are compared by. */
export function describeStep({ action, kind, name, path, id, changes }: Step): ShownStep {
  return {
    ...{ action, kind, name },
    ...(path === undefined ? {} : { path }),
    ...(id === undefined ? {} : { id }),
    changes: changes.map(({ field, before, after }) => ({
      field,
      before: showWithoutSecrets(before, '(a secret)'),
      after: showWithoutSecrets(after, before === undefined ? '(a secret)' : '(another secret)'),
    })),
  };
}
