import type { Command, CommandOption } from './commands/command';

/** What `weir --help` prints. */
export function describeCommands(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ words }) => words.length));
  return [
    'The operator\u2019s tool of the gateway. It works on DATABASE_URL, or on the standalone in DATA_DIR (.weir), running or not.',
    '',
    'Usage: weir <command> [options]',
    '',
    ...commands.map(({ words, summary }) => `  ${words.padEnd(width)}  ${summary}`),
    '',
    'Each command takes --help, and --json for its output on one line.',
    '',
  ].join('\n');
}

/** What `weir <command> --help` prints. */
export function describeCommand({ words, summary, argument, options }: Command): string {
  const rows: (readonly [string, string])[] = [
    ...options.map((option) => [nameOption(option), option.meaning + (option.isRequired === true ? ' (required)' : '')] as const),
    ['--json', 'the output on one line'],
    ['--help', 'this text'],
  ];
  if (argument !== undefined) rows.unshift([argument.value, argument.meaning]);
  const width = Math.max(...rows.map(([left]) => left.length));
  const named = argument?.isOptional === true ? `[${argument.value}]` : argument?.value;
  const usage = [named, ...options.map(describeOption), '[--json]'].filter((part) => part !== undefined).join(' ');
  return [`Usage: weir ${words} ${usage}`, '', summary, '', ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`), ''].join(
    '\n',
  );
}

function describeOption(option: CommandOption): string {
  return option.isRequired === true ? nameOption(option) : `[${nameOption(option)}]`;
}

function nameOption({ name, short, value }: CommandOption): string {
  const named = short === undefined ? `--${name}` : `-${short}|--${name}`;
  return value === undefined ? named : `${named} ${value}`;
}
