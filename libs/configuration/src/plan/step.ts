import type { CurrentObject, DesiredObject, Fields, Owner } from './configuration-object';

export type FieldChange = { readonly field: string; readonly before: unknown; readonly after: unknown };

/** One object that is made, changed or taken away; `adopt`: only who looks after it changes. */
export type Step = {
  readonly action: 'create' | 'update' | 'delete' | 'adopt';
  readonly kind: DesiredObject['kind'];
  readonly name: string;
  /** Where it stands in the document; absent for what does not. */
  readonly path?: string;
  /** Of what is there already. */
  readonly id?: string;
  /** What it is made of, or what of it changes; of what is taken away, what it was. */
  readonly fields: Fields;
  readonly changes: readonly FieldChange[];
};

/** Who looks after what from now on; null: no one any more. */
export type Claim = Pick<CurrentObject, 'kind' | 'name' | 'id'> & { readonly owner: Owner | null };
