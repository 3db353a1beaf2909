import { policyDocument, type Modality, type PolicyDocument } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { readManagedPolicies, type ModelCatalog } from '@weir/model-catalog';
import type { RuleRow } from './rules';

type Transaction = Prisma.TransactionClient;

const POLICY_PREFIX = 'policy/';
/** How deep policies may hold one another. */
const DEPTH_MAX = 8;

/** Throws `invalid_request`, naming the field, unless the id is that of a chat model or of one of the policies. */
function checkModelExists(model: string, field: string, known: { catalog: ModelCatalog; policies: ReadonlySet<string> }): void {
  if (model.startsWith(POLICY_PREFIX)) {
    if (!known.policies.has(model.slice(POLICY_PREFIX.length))) throw refuse(field, `this organization has no policy "${model}"`);
    return;
  }
  const record = known.catalog.find(model);
  if (record === undefined) throw refuse(field, `the model "${model}" is not known here`);
  if (record.modality !== 'chat') throw refuse(field, `"${model}" is for ${record.modality}; policies and aliases are for chat`);
}

/** Throws unless a model that an alias stands for exists. */
export async function checkAliasModel(
  tx: Transaction,
  { organizationId, catalog, model }: { organizationId: string; catalog: ModelCatalog; model: string },
): Promise<void> {
  const policies = new Set((await listPolicies(tx, organizationId)).keys());
  checkModelExists(model, 'model', { catalog, policies });
}

/** Throws unless all models of a policy exist and no policy would hold itself, however indirectly. */
export async function checkPolicyModels(
  tx: Transaction,
  policy: { organizationId: string; catalog: ModelCatalog; name: string; document: PolicyDocument },
): Promise<void> {
  const { catalog, name, document } = policy;
  const nested = await listPolicies(tx, policy.organizationId);
  nested.set(name, nestedOf(document));
  const policies = new Set(nested.keys());
  for (const [index, { model }] of document.models.entries()) checkModelExists(model, `models.${index}.model`, { catalog, policies });
  checkNesting(name, nested);
}

/** Names of policies, each with the policies it holds. An organization's own stands before a built-in one of its name. */
async function listPolicies(tx: Transaction, organizationId: string): Promise<Map<string, string[]>> {
  const rows = await tx.organizationRule.findMany({ where: { organizationId, kind: 'policy' } });
  const own = rows.map(({ name, document }) => ({ name, document: policyDocument.parse(document) }));
  return new Map([...readManagedPolicies(), ...own].map(({ name, document }) => [name, nestedOf(document)]));
}

function nestedOf({ models }: PolicyDocument): string[] {
  return models.filter(({ model }) => model.startsWith(POLICY_PREFIX)).map(({ model }) => model.slice(POLICY_PREFIX.length));
}

function checkNesting(name: string, nested: ReadonlyMap<string, readonly string[]>): void {
  const depths = new Map<string, number>();
  const walk = (one: string, path: readonly string[]): number => {
    if (path.includes(one)) throw refuse('models', `the policies would hold one another in a circle: ${[...path, one].join(' → ')}`);
    const known = depths.get(one);
    if (known !== undefined) return known;
    const depth = 1 + Math.max(0, ...(nested.get(one) ?? []).map((inner) => walk(inner, [...path, one])));
    depths.set(one, depth);
    return depth;
  };
  // Also whatever holds this policy becomes deeper with it.
  for (const one of [name, ...nested.keys()]) {
    if (walk(one, []) > DEPTH_MAX) throw refuse('models', `policies may hold one another at most ${DEPTH_MAX} levels deep`);
  }
}

/** Throws unless what a limit sends requests to instead is a model, an alias or a policy, for what the limit counts. */
export async function checkFallbackModel(
  tx: Transaction,
  limit: { organizationId: string; catalog: ModelCatalog; model: string; modalities: readonly Modality[] | undefined },
): Promise<void> {
  const { organizationId, catalog, model, modalities } = limit;
  const record = catalog.find(model);
  const field = 'fallback_model';
  if (record === undefined && (await tx.organizationRule.count({ where: { organizationId, kind: 'alias', name: model } })) === 0) {
    const policies = new Set((await listPolicies(tx, organizationId)).keys());
    checkModelExists(model, field, { catalog, policies });
  }
  const modality = record?.modality ?? 'chat';
  if (modalities !== undefined && !modalities.includes(modality))
    throw refuse(field, `"${model}" is for ${modality}, which \`modalities\` of the limit leaves out`);
}

/** Throws `conflict` while a policy, an alias or a limit of the organization refers to the policy. */
export async function checkPolicyIsUnused(
  tx: Transaction,
  { organizationId, name }: { organizationId: string; name: string },
): Promise<void> {
  const rules = await tx.organizationRule.findMany({ where: { organizationId, kind: { in: ['policy', 'alias', 'limit'] } } });
  const isItself = (rule: RuleRow): boolean => rule.kind === 'policy' && rule.name === name;
  const user = rules.find((rule) => !isItself(rule) && refersTo(rule, `${POLICY_PREFIX}${name}`));
  if (user !== undefined) throw stillNamed(user, 'policy');
}

/** Throws `conflict` while a limit sends requests to the alias. */
export async function checkAliasIsUnused(
  tx: Transaction,
  { organizationId, name }: { organizationId: string; name: string },
): Promise<void> {
  const limits = await tx.organizationRule.findMany({ where: { organizationId, kind: 'limit' } });
  const user = limits.find((limit) => refersTo(limit, name));
  if (user !== undefined) throw stillNamed(user, 'alias');
}

function stillNamed({ kind, name }: RuleRow, what: 'policy' | 'alias'): GatewayError {
  return new GatewayError('conflict', `The ${kind} "${name}" refers to this ${what}; change it first.`);
}

function refersTo({ kind, document }: RuleRow, model: string): boolean {
  if (kind === 'policy') return policyDocument.parse(document).models.some((step) => step.model === model);
  return (document as Prisma.JsonObject)[kind === 'limit' ? 'fallback_model' : 'model'] === model;
}

/** Throws when a plain id means a model already. */
export function checkIsNoModel(name: string, catalog: ModelCatalog): void {
  if (catalog.find(name) !== undefined) throw refuse('name', `"${name}" is the id of a model; an alias cannot take its place`);
}

/** Throws unless a name, when the body gives one, is that of the path. */
export function checkSameName(given: string | undefined, name: string): void {
  if (given !== undefined && given !== name) throw refuse('name', `must be "${name}", as in the path; create another one for another name`);
}

function refuse(field: string, reason: string): GatewayError {
  return new GatewayError('invalid_request', `\`${field}\` is not valid: ${reason}`, { field });
}
