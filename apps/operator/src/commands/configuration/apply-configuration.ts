import { renderPlan, type Step } from '@weir/configuration';
import { UsageError, type Command, type CommandTools, type Given } from '../command';
import { callGateway } from './call-gateway';
import { readFiles } from './read-files';
import { checkSecretsFile, writeSecrets, type NewSecret } from './write-secrets';

type Applied = {
  readonly configuration: string;
  readonly summary: string;
  readonly steps: readonly Pick<Step, 'action' | 'kind' | 'name' | 'changes'>[];
  readonly secrets: readonly NewSecret[];
  readonly notes: readonly string[];
};

type Outcome = Applied & { readonly applied: boolean; readonly keys_file?: string };

const PATH = '/v1/manage/configuration';

const FILES = {
  name: 'file',
  short: 'f',
  value: 'PATH',
  meaning: 'a document, or a folder of them; may be given several times; - is standard input',
  isRequired: true,
  isRepeatable: true,
} as const;
const PRUNE = { name: 'prune', meaning: 'also takes away what this configuration made before and lists no more' } as const;
const ADOPT = { name: 'adopt', meaning: 'also takes over what other configurations look after, and what was made by hand' } as const;

/** Drift of an organization from its document. */
const DIFFERENT = 3;

export const applyConfiguration: Command = {
  words: 'apply',
  summary: 'Makes an organization what documents say: all of it or nothing. Over WEIR_URL, with the key in WEIR_API_KEY.',
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
    const body = await readDocument(given, tools, isDone);
    if (isDone && keysFile === undefined && !tools.isTerminal) refuseUnkeptKeys(await send(body, given, tools, false));
    const applied = await send(body, given, tools, isDone);
    const outcome: Outcome = { ...applied, applied: isDone };
    return isDone && keysFile !== undefined && applied.secrets.length > 0 ? keepSecrets(outcome, keysFile) : outcome;
  },
  describe: (result, { isColoured }) => showOutcome(result as Outcome, isColoured),
  exitCode: (result) => ((result as Outcome).applied || (result as Outcome).steps.length === 0 ? 0 : DIFFERENT),
};

export const diffConfiguration: Command = {
  words: 'diff',
  summary: 'Shows what "apply" would do. Exit code 0: nothing, 3: something.',
  options: [FILES, PRUNE, ADOPT],
  run: async (given, tools) => {
    const body = await readDocument(given, tools, false);
    return { ...(await send(body, given, tools, false)), applied: false } satisfies Outcome;
  },
  describe: (result, { isColoured }) => showOutcome(result as Outcome, isColoured),
  exitCode: (result) => ((result as Outcome).steps.length === 0 ? 0 : DIFFERENT),
};

function readDocument({ lists }: Given, tools: CommandTools, isDone: boolean): Promise<object> {
  return readFiles(lists['file'] ?? [], tools, { mayLackSecrets: !isDone });
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
    `this would make the key ${made.join(', ')}: say with --keys-file where its value is to be kept. Nothing was changed.`,
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

function showOutcome({ configuration, steps, secrets, notes, applied, keys_file: keysFile }: Outcome, isColoured: boolean): string {
  const lines = [
    ...secrets.map(({ kind, name, secret }) => `${kind} "${name}": ${secret}   (shown only now)`),
    ...(keysFile === undefined ? [] : [`the new values are in ${keysFile}`]),
    ...notes.map((note) => `note: ${note}`),
  ];
  const end =
    applied || steps.length === 0 ? `configuration "${configuration}" is in force` : 'nothing was changed; weir apply --yes does it';
  return [renderPlan(steps, { isColoured }), ...lines.map((line) => `${line}\n`), steps.length === 0 && !applied ? '' : `${end}\n`].join(
    '',
  );
}
