import { renderPlan, type Step } from '@weir/configuration';
import { describeDiff, isEmptyDiff } from '@weir/model-catalog';
import type { Change } from '../catalog/put-in-force';
import { UsageError, type Command, type CommandTools, type Given } from '../command';
import { applyDeployment, type DeploymentChange } from './apply-deployment';
import { callGateway } from './call-gateway';
import { readDocuments } from './read-documents';
import { describeAccounts } from './write-accounts';
import { checkSecretsFile, writeSecrets, type NewSecret } from './write-secrets';

type Applied = {
  /** Null where no document is about an organization. */
  readonly configuration: string | null;
  readonly summary: string;
  readonly steps: readonly Pick<Step, 'action' | 'kind' | 'name' | 'changes'>[];
  readonly secrets: readonly NewSecret[];
  readonly notes: readonly string[];
};

type Outcome = Applied & DeploymentChange & { readonly applied: boolean; readonly keys_file?: string };

const PATH = '/v1/manage/configuration';

const FILES = {
  name: 'file',
  short: 'f',
  value: 'PATH',
  meaning: 'a document, or a folder of them; may be given several times; - is standard input',
  isRequired: true,
  isRepeatable: true,
} as const;
const PRUNE = {
  name: 'prune',
  meaning: 'also takes away what this configuration made before and lists no more; of the catalogue and of accounts all that is not listed',
} as const;
const ADOPT = { name: 'adopt', meaning: 'also takes over what other configurations look after, and what was made by hand' } as const;

/** Drift of an organization from its document. */
const DIFFERENT = 3;

export const applyConfiguration: Command = {
  words: 'apply',
  summary:
    'Makes an organization what documents say: all of it or nothing. Over WEIR_URL, with the key in WEIR_API_KEY. Documents of the catalogue and of the gateway’s accounts go first, to its database and its file.',
  options: [
    FILES,
    PRUNE,
    ADOPT,
    { name: 'dry-run', meaning: 'shows what would be done, and does nothing' },
    { name: 'yes', meaning: 'does it; without this it is only shown' },
    { name: 'keys-file', value: 'FILE', meaning: 'where the values of new keys are kept (mode 0600); shown once without it' },
  ],
  run: async (given, tools) => {
    const isDone = given.flags.has('yes') && !given.flags.has('dry-run');
    const keysFile = given.options['keys-file'];
    if (isDone && keysFile !== undefined) checkSecretsFile(keysFile);
    const outcome = await applyAll(given, tools, isDone);
    const { secrets } = outcome;
    return isDone && keysFile !== undefined && secrets.length > 0 ? keepSecrets(outcome, keysFile) : outcome;
  },
  describe: (result, { isColoured }) => showOutcome(result as Outcome, isColoured),
  exitCode: (result) => ((result as Outcome).applied || !isDifferent(result as Outcome) ? 0 : DIFFERENT),
};

export const diffConfiguration: Command = {
  words: 'diff',
  summary: 'Shows what "apply" would do. Exit code 0: nothing, 3: something.',
  options: [FILES, PRUNE, ADOPT],
  run: (given, tools) => applyAll(given, tools, false),
  describe: (result, { isColoured }) => showOutcome(result as Outcome, isColoured),
  exitCode: (result) => (isDifferent(result as Outcome) ? DIFFERENT : 0),
};

/** What is about the whole gateway goes first: an organization may be about to use a model that it brings. */
async function applyAll(given: Given, tools: CommandTools, isDone: boolean): Promise<Outcome> {
  const documents = await readDocuments(given.lists['file'] ?? [], tools, { mayLackSecrets: !isDone });
  const deployment = await applyDeployment(documents, tools, { prune: given.flags.has('prune'), isDone });
  const body = documents.configuration;
  if (body === undefined) return { ...NOTHING, ...deployment, applied: isDone };
  const isAwaited = deployment.catalog !== undefined && !isEmptyDiff(deployment.catalog.diff);
  const sent = isAwaited ? await sendAfterCatalog(body, given, tools, isDone) : await sendWithKeys(body, given, tools, isDone);
  return { ...sent, ...deployment, applied: isDone };
}

const NOTHING: Applied = { configuration: null, summary: 'no changes', steps: [], secrets: [], notes: [] };

async function sendWithKeys(body: object, given: Given, tools: CommandTools, isDone: boolean): Promise<Applied> {
  const isKept = given.options['keys-file'] !== undefined || tools.isTerminal;
  if (isDone && !isKept) refuseUnkeptKeys(await send(body, given, tools, false));
  return send(body, given, tools, isDone);
}

/** How long a process may take to have a version of the catalogue, and as much again. */
const CATALOG_MS = 10_000;
const PAUSE_MS = 500;

/**
 * The gateway may not have the models yet that the documents name. What it refuses meanwhile is tried again where the catalogue
 * was changed; where it was only compared, it is a note.
 */
async function sendAfterCatalog(body: object, given: Given, tools: CommandTools, isDone: boolean): Promise<Applied> {
  const until = performance.now() + CATALOG_MS;
  for (;;) {
    try {
      return await sendWithKeys(body, given, tools, isDone);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const note = `with the catalogue as it is now, the organization’s part is refused: ${error.message}`;
      if (!isDone) return { ...NOTHING, notes: [note] };
      if (performance.now() > until) throw error;
      await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    }
  }
}

async function send(body: object, { flags }: Given, tools: CommandTools, isDone: boolean): Promise<Applied> {
  const query = new URLSearchParams(Object.fromEntries(['prune', 'adopt'].filter((name) => flags.has(name)).map((name) => [name, 'true'])));
  const path = `${PATH}${isDone ? '' : '/preview'}${query.size === 0 ? '' : `?${query.toString()}`}`;
  return (await (await callGateway(tools, { method: isDone ? 'PUT' : 'POST', path, body })).json()) as Applied;
}

/** The value of a key is there once: in a log of a pipeline it would be where many can read it, and without that it would be lost. */
function refuseUnkeptKeys({ steps }: Applied): void {
  const made = steps.filter(({ action, kind }) => action === 'create' && kind === 'key').map(({ name }) => `"${name}"`);
  if (made.length === 0) return;
  throw new UsageError(
    `this would make the key ${made.join(', ')}: say with --keys-file where its value is to be kept. Nothing of the organization was changed.`,
  );
}

/** No one can read them a second time: where the file cannot be written after all, they are shown. */
function keepSecrets(outcome: Outcome, keysFile: string): Outcome {
  try {
    writeSecrets(keysFile, outcome.secrets);
    return { ...outcome, secrets: [], keys_file: keysFile };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...outcome, notes: [...outcome.notes, `${keysFile} could not be written (${why}): the new values are shown here`] };
  }
}

function isDifferent({ steps, catalog, provider_accounts: accounts }: Outcome): boolean {
  return steps.length > 0 || (catalog !== undefined && !isEmptyDiff(catalog.diff)) || (accounts?.changes.length ?? 0) > 0;
}

function showOutcome(outcome: Outcome, isColoured: boolean): string {
  const { configuration, steps, secrets, notes, applied, catalog, provider_accounts: accounts, keys_file: keysFile } = outcome;
  const lines = [
    ...secrets.map(({ kind, name, secret }) => `${kind} "${name}": ${secret}   (shown only now)`),
    ...(keysFile === undefined ? [] : [`the new values are in ${keysFile}`]),
    ...notes.map((note) => `note: ${note}`),
  ];
  const inForce = configuration === null ? [] : [`configuration "${configuration}" is in force`];
  const end = applied ? inForce : isDifferent(outcome) ? ['nothing was changed; weir apply --yes does it'] : [];
  const deployment = `${describeCatalog(catalog)}${accounts === undefined ? '' : describeAccounts(accounts)}`;
  const plan = steps.length === 0 && deployment !== '' ? '' : renderPlan(steps, { isColoured });
  return [deployment, plan, ...[...lines, ...end].map((line) => `${line}\n`)].join('');
}

function describeCatalog(catalog: Change | undefined): string {
  if (catalog === undefined || isEmptyDiff(catalog.diff)) return '';
  const end = catalog.applied ? `version ${catalog.version} of the catalogue: every process has it within five seconds\n` : '';
  return `${describeDiff(catalog.diff)}${end}`;
}
