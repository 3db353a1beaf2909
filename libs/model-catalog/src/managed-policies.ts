import { policyDocument, policyName } from '@weir/contracts';
import { z } from 'zod';

const managedPolicy = z.looseObject({ name: policyName, description: z.string().min(1).max(300) });

// Called under another name, as for the models, so that the compiler does not work out its type.
const readJson = require as (path: string) => unknown;

/** A policy that every organization has. */
export type ManagedPolicy = { readonly name: string; readonly description: string; readonly document: z.output<typeof policyDocument> };

/** The policies that ship with the gateway: `data/policies.json`. Throws on one that is not valid. */
export function readManagedPolicies(): ManagedPolicy[] {
  const rows = z.array(managedPolicy).parse(readJson('../data/policies.json'));
  return rows.map(({ name, description, ...document }) => ({ name, description, document: policyDocument.parse(document) }));
}
