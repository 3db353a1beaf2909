import { GatewayError } from '@weir/errors';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError, type Command, type CommandTools, type Given } from './commands/command';
import { COMMANDS } from './commands';
import { describeCommand, describeCommands } from './describe-help';
import type { Deployment } from './open-deployment';

export type CommandLine = {
  readonly args: readonly string[];
  /** Opens what a command works on, which is closed when it is done. */
  readonly open: () => Promise<Deployment>;
  readonly dataDirectory: CommandTools['dataDirectory'];
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
};

/** Runs one command and returns the exit code: 0, 1 for what could not be done, 2 for what could not be understood. */
export async function runCommandLine({ args, open, dataDirectory, print, complain }: CommandLine): Promise<number> {
  const opened: { deployment?: Deployment } = {};
  try {
    const text = await execute(args, { dataDirectory, open: async () => (opened.deployment = await open()) });
    print(text);
    return 0;
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

async function execute(args: readonly string[], tools: CommandTools): Promise<string> {
  const command = findCommand(args);
  if (command === undefined) {
    if (args.length === 0 || args.includes('--help')) return describeCommands(COMMANDS);
    throw new UsageError(`there is no command "${args.join(' ')}". See weir --help.`);
  }
  const rest = args.slice(command.words.split(' ').length);
  const { values, positionals } = parseOptions(command, rest);
  if (values['help'] === true) return describeCommand(command);
  const result = await command.run(checkGiven(command, values, positionals), tools);
  return `${JSON.stringify(result, null, values['json'] === true ? undefined : 2)}\n`;
}

function findCommand(args: readonly string[]): Command | undefined {
  return COMMANDS.find(({ words }) => words.split(' ').every((word, at) => args[at] === word));
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function parseOptions(command: Command, args: readonly string[]): { values: Values; positionals: string[] } {
  const options: ParseArgsConfig['options'] = { json: { type: 'boolean' }, help: { type: 'boolean' } };
  for (const { name, isRepeatable = false } of command.options) options[name] = { type: 'string', multiple: isRepeatable };
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
  if (positionals.length !== wanted) {
    const what = command.argument === undefined ? 'takes no arguments beside its options' : `takes one ${command.argument.value}`;
    throw new UsageError(`${command.words} ${what}. See weir ${command.words} --help.`);
  }
  const entries = Object.entries(values);
  return {
    argument: positionals[0],
    options: Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    lists: Object.fromEntries(entries.filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))),
  };
}
