import type { KeyPeppers } from '@weir/access';
import type { OperatorActions } from '@weir/management-api';
import type { Database } from '@weir/database';

export type CommandOption = {
  readonly name: string;
  /** What stands for its value in the help text. */
  readonly value: string;
  readonly meaning: string;
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
};

/** What was typed after the command's words. */
export type Given = {
  readonly argument: string | undefined;
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly lists: Readonly<Record<string, readonly string[]>>;
};

/** The gateway's database and settings, which a command works on. */
export type OpenDeployment = {
  readonly database: Database;
  readonly actions: OperatorActions;
  /** Organizations must have a balance before they use anything. */
  readonly isBalanceRequired: boolean;
  /** What the gateway stores keys under. */
  readonly peppers: KeyPeppers;
  /** The setting `SEALING_KEY` as the gateway has it; throws when it is nowhere to be found. */
  readSealingKey(): string;
};

export type CommandTools = {
  /** Called at most once, by commands that need the database. */
  readonly open: () => Promise<OpenDeployment>;
  /** Where the standalone keeps everything. */
  readonly dataDirectory: () => string;
};

export type Command = {
  /** As they are typed, `organization create`. */
  readonly words: string;
  readonly summary: string;
  readonly argument?: { readonly value: string; readonly meaning: string };
  readonly options: readonly CommandOption[];
  /** Returns what is printed. */
  run(given: Given, tools: CommandTools): Promise<object>;
};

/** What was typed makes no command; the message says how it would. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
