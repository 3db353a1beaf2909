import { keyOf, KINDS, planChanges, PROBLEMS_MAX, type Claim, type ConfigurationKind, type Step } from '@weir/configuration';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import type { RouteParts } from '../route/management-parts';
import type { RawCall } from '../route/route';
import { createNameBook, MissingStep, type NameBook } from './steps/name-book';
import { readCurrent, type CurrentState } from './current/read-current';
import { refuseDocument, type FoundProblem } from './refuse-document';
import { STEPS } from './steps';
import type { StepTools } from './steps/carry-out';
import { secretsOf, type Wish } from './wish';

export type NewSecret = { readonly kind: ConfigurationKind; readonly name: string; readonly id: string; readonly secret: string };

type Applying = {
  readonly parts: RouteParts;
  readonly call: RawCall;
  readonly tx: Prisma.TransactionClient;
  readonly wish: Wish;
  readonly mayMakeKeys: boolean;
};
type CarriedOut = { readonly steps: readonly Step[]; readonly secrets: readonly NewSecret[] };

/** One change may bring about another: a new budget mode gives limits another meaning. More than this would be a circle. */
const ROUNDS_MAX = 3;

/** Plans and carries out until nothing is left to do, so that the same document finds nothing to do the next time. */
export async function carryOutPlan(applying: Applying): Promise<CarriedOut> {
  const steps: Step[] = [];
  const secrets: NewSecret[] = [];
  for (let round = 1; ; round += 1) {
    const { tx, parts, call, wish } = applying;
    const current = await readCurrent({ tx, parts, organizationId: call.organizationId, digest: wish.digest });
    const plan = planChanges(current.objects, wish.desired, wish.plan);
    const problems = [
      ...plan.problems.map((problem) => ({ ...problem, isConflict: true })),
      ...findShared(current, plan.steps),
      ...(applying.mayMakeKeys ? [] : refuseNewKeys(plan.steps)),
    ];
    if (problems.length > 0) throw refuseDocument(problems);
    // What was only taken over has been by now.
    const left = plan.steps.filter(({ action }) => round === 1 || action !== 'adopt');
    if (left.length > 0 && round > ROUNDS_MAX) throw refuseDocument(left.map(explainRestless));
    const done = await carryOutSteps(left, applying, createNameBook(current.ids, current.shared));
    await keepClaims(applying, [...plan.claims, ...done.claims]);
    steps.push(...done.steps);
    secrets.push(...done.secrets);
    if (left.length === 0) return { steps, secrets };
  }
}

/** A name that several have: making one more is not what anybody wants. */
function findShared({ shared }: CurrentState, steps: readonly Step[]): FoundProblem[] {
  return steps.flatMap((step) => {
    const several = step.action === 'create' ? shared.get(keyOf(step)) : undefined;
    if (several === undefined) return [];
    const message = `several have the name "${step.name}"; write which one: ${several.map((each) => `"${each}"`).join(' or ')}`;
    return [{ path: step.path ?? '', message, isConflict: true }];
  });
}

function refuseNewKeys(steps: readonly Step[]): FoundProblem[] {
  return steps
    .filter(({ action, kind }) => action === 'create' && kind === 'key')
    .map(({ name, path }) => ({
      path: path ?? 'keys',
      message: `the key "${name}" is not there yet, and no one would see its value: make it with \`weir apply\` or in the console first`,
    }));
}

function explainRestless({ kind, name, path, changes }: Step): FoundProblem {
  const fields = changes.map(({ field }) => `\`${field}\``).join(', ');
  return {
    path: path ?? KINDS[kind].section,
    message: `the ${KINDS[kind].word} "${name}" does not stay as it is written (${fields}): another part of the document changes it`,
  };
}

type Done = CarriedOut & { readonly claims: readonly Claim[] };

async function carryOutSteps(planned: readonly Step[], applying: Applying, names: NameBook): Promise<Done> {
  const { parts, call, wish } = applying;
  const tools: StepTools = { parts, call, names, secretsOf: (step) => secretsOf(wish, step) };
  const done = { steps: [] as Step[], secrets: [] as NewSecret[], claims: [] as Claim[] };
  const problems: FoundProblem[] = [];
  for (const step of planned) {
    const problem = await carryOut(step, { tools, done, configuration: wish.plan.configuration }).catch((error: unknown) => {
      names.fail(step.kind, step.name);
      return explain(error, step);
    });
    if (problem !== undefined) problems.push(...problem);
    if (problems.length >= PROBLEMS_MAX) break;
  }
  if (problems.length > 0) throw refuseDocument(problems);
  return done;
}

type Progress = {
  readonly tools: StepTools;
  readonly configuration: string;
  readonly done: { readonly steps: Step[]; readonly secrets: NewSecret[]; readonly claims: Claim[] };
};

async function carryOut(step: Step, { tools, done, configuration }: Progress): Promise<undefined> {
  const { kind, name } = step;
  if (step.action === 'create') {
    const { id, secret } = await STEPS[kind].create(step, tools);
    tools.names.set(kind, name, id);
    done.claims.push({ kind, name, id, owner: { configuration, isMade: true } });
    if (secret !== undefined) done.secrets.push({ kind, name, id, secret });
    done.steps.push({ ...step, id });
    return undefined;
  }
  if (step.action === 'update') await STEPS[kind].update(step, tools);
  if (step.action === 'delete') {
    await STEPS[kind].remove(step, tools);
    done.claims.push({ kind, name, id: step.id ?? '', owner: null });
  }
  done.steps.push(step);
  return undefined;
}

/** What documents call the fields of the interface that have another name there. */
const FIELD_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^api_key_id$/, 'key'],
  [/^(group|member|limit|access_list)_id$/, '$1'],
  [/^user_id$/, 'email'],
];

/** What is wrong with a step; nothing for one that only waits for another, whose problem is reported. What is no fault of the document is thrown. */
function explain(error: unknown, { kind, name, path, action }: Step): FoundProblem[] {
  if (error instanceof MissingStep) return [];
  if (!(error instanceof GatewayError) || error.status >= 500 || error.status === 429) throw error;
  const { field } = error.details;
  const shown = field === undefined ? undefined : FIELD_NAMES.reduce((text, [pattern, word]) => text.replace(pattern, word), field);
  const place = path ?? KINDS[kind].section;
  const verb = action === 'delete' ? 'cannot be taken away' : '';
  return [
    {
      path: shown === undefined || kind === 'setting' ? place : `${place}.${shown}`,
      message: `${KINDS[kind].word} "${name}"${verb === '' ? '' : ` ${verb}`}: ${error.message}`,
      isConflict: error.status === 409,
    },
  ];
}

async function keepClaims({ tx, call }: Applying, claims: readonly Claim[]): Promise<void> {
  const { organizationId } = call;
  for (const { kind, name, id: objectId, owner } of claims) {
    // Whatever had the name before, and the configuration that looked after the object.
    await tx.configurationObject.deleteMany({ where: { organizationId, kind, OR: [{ name }, { objectId }] } });
    if (owner === null) continue;
    await tx.configurationObject.create({ data: { organizationId, kind, objectId, name, ...owner } });
  }
}
