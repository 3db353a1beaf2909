import { GatewayError } from '@weir/errors';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError, type Command, type CommandTools, type Given } from './commands/command';
import { COMMANDS } from './all-commands';
import { describeCommand, describeCommands } from './describe-help';
import type { Deployment } from './open-deployment';

export type CommandLine = {
  readonly args: readonly string[];
  /** Opens what a command works on, which is closed when it is done. */
  readonly open: () => Promise<Deployment>;
  readonly dataDirectory: CommandTools['dataDirectory'];
  readonly accountsFile: CommandTools['accountsFile'];
  /** What commands need that call a gateway. */
  readonly client: Pick<CommandTools, 'gateway' | 'variable' | 'isTerminal' | 'isColoured'>;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
};

/** Runs one command and returns the exit code: 0, 1 for what could not be done, 2 for what could not be understood, or the command's own. */
export async function runCommandLine({ args, open, client, print, complain, ...settings }: CommandLine): Promise<number> {
  const opened: { deployment?: Deployment } = {};
  try {
    const { text, code } = await execute(args, { ...client, ...settings, open: async () => (opened.deployment = await open()) });
    print(text);
    return code;
  } catch (error) {
    complain(`weir: ${error instanceof Error ? error.message : String(error)}\n`);
    return isMisunderstood(error) ? 2 : 1;
  } finally {
    await opened.deployment?.close();
  }
}

/** What was typed makes no command, or no request that the management interface takes. */
function isMisunderstood(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof GatewayError && error.code === 'invalid_request');
}

type Executed = { readonly text: string; readonly code: number };

async function execute(args: readonly string[], tools: CommandTools): Promise<Executed> {
  const command = findCommand(args);
  if (command === undefined) {
    if (args.length === 0 || args.includes('--help')) return { text: describeCommands(COMMANDS), code: 0 };
    throw new UsageError(`there is no command "${args.join(' ')}". See weir --help.`);
  }
  const rest = args.slice(command.words.split(' ').length);
  const { values, positionals } = parseOptions(command, rest);
  if (values['help'] === true) return { text: describeCommand(command), code: 0 };
  const result = await command.run(checkGiven(command, values, positionals), tools);
  const code = command.exitCode?.(result) ?? 0;
  if (values['json'] !== true && command.describe !== undefined) return { text: command.describe(result, tools), code };
  return { text: `${JSON.stringify(result, null, values['json'] === true ? undefined : 2)}\n`, code };
}

function findCommand(args: readonly string[]): Command | undefined {
  return COMMANDS.find(({ words }) => words.split(' ').every((word, at) => args[at] === word));
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function parseOptions(command: Command, args: readonly string[]): { values: Values; positionals: string[] } {
  const options: ParseArgsConfig['options'] = { json: { type: 'boolean' }, help: { type: 'boolean' } };
  for (const { name, short, value, isRepeatable = false } of command.options) {
    const shape = value === undefined ? ({ type: 'boolean' } as const) : ({ type: 'string', multiple: isRepeatable } as const);
    options[name] = { ...shape, ...(short === undefined ? {} : { short }) };
  }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${explainOptions(error)} See weir ${command.words} --help.`, { cause: error });
  }
}

/** Node's own words, but for an option that is not there: those end in advice that does not help. */
function explainOptions(error: unknown): string {
  const { code, message } = error as { code?: unknown; message: string };
  const [, option = ''] = /'(--?[^']*)'/.exec(message) ?? [];
  return code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? `there is no option ${option}.` : message;
}

function checkGiven(command: Command, values: Values, positionals: readonly string[]): Given {
  const missing = command.options.find(({ name, isRequired }) => isRequired === true && values[name] === undefined);
  if (missing !== undefined) throw new UsageError(`--${missing.name} is required. See weir ${command.words} --help.`);
  const wanted = command.argument === undefined ? 0 : 1;
  const isLeftOut = command.argument?.isOptional === true && positionals.length === 0;
  if (positionals.length !== wanted && !isLeftOut) {
    const what = command.argument === undefined ? 'takes no arguments beside its options' : `takes one ${command.argument.value}`;
    throw new UsageError(`${command.words} ${what}. See weir ${command.words} --help.`);
  }
  const entries = Object.entries(values);
  return {
    argument: positionals[0],
    options: Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    flags: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
    lists: Object.fromEntries(entries.filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))),
  };
}
