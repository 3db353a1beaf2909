import { keyOf, type CurrentObject, type Owner } from '../plan/configuration-object';
import { KINDS } from '../plan/kinds';
import type { Plan } from '../plan/plan-changes';

/** What would be there if everything were done that a plan says. */
export function followPlan(current: readonly CurrentObject[], { steps, claims }: Plan, configuration: string): CurrentObject[] {
  const objects = new Map(current.map((object) => [keyOf(object), object]));
  for (const { action, kind, name, fields } of steps) {
    const key = keyOf({ kind, name });
    const there = objects.get(key);
    if (action === 'delete') objects.delete(key);
    else if (there === undefined)
      objects.set(key, { kind, name, id: name, fields, owner: { configuration, isMade: KINDS[kind].isRemovable } });
    else objects.set(key, { ...there, fields: kind === 'alias' ? fields : { ...there.fields, ...fields } });
  }
  for (const claim of claims) {
    const there = objects.get(keyOf(claim));
    if (there !== undefined) objects.set(keyOf(claim), withOwner(there, claim.owner));
  }
  return [...objects.values()];
}

function withOwner({ owner: _, ...object }: CurrentObject, owner: Owner | null): CurrentObject {
  return owner === null ? object : { ...object, owner };
}
