import type { KeyPeppers } from '@weir/access';
import type { OperatorActions } from '@weir/management-api';
import type { Database } from '@weir/database';

export type CommandOption = {
  readonly name: string;
  /** One letter that stands for the name. */
  readonly short?: string;
  /** What stands for its value in the help text; absent: it takes none, and is given or not. */
  readonly value?: string;
  readonly meaning: string;
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
};

/** What was typed after the command's words. */
export type Given = {
  readonly argument: string | undefined;
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** Options without a value that were given. */
  readonly flags: ReadonlySet<string>;
};

/** The gateway's database and settings, which a command works on. */
export type OpenDeployment = {
  readonly database: Database;
  readonly actions: OperatorActions;
  /** Organizations must have a balance before they use anything. */
  readonly isBalanceRequired: boolean;
  /** What the gateway stores keys under. */
  readonly peppers: KeyPeppers;
  /** Models that are there before any version of the catalogue, as the gateway's setting `CATALOG_FILE` has them. */
  readonly importedModels: string | undefined;
  /** Who works here: for what is written down of a change. */
  readonly operator: string;
  /** Which addresses may be called, as the gateway's settings say. */
  readonly fetchRules: { readonly ports: readonly number[]; readonly networks: readonly string[] };
  /** Says to processes at once that something is different; those that are not reached find it by themselves. */
  notify(): Promise<void>;
  /** The setting `SEALING_KEY` as the gateway has it; throws when it is nowhere to be found. */
  readSealingKey(): string;
};

/** Where the management interface is, and the key of an administrator. */
export type Gateway = { readonly url: string; readonly apiKey: string };

export type CommandTools = {
  /** Called at most once, by commands that need the database. */
  readonly open: () => Promise<OpenDeployment>;
  /** Where the standalone keeps everything. */
  readonly dataDirectory: () => string;
  /** The file of the gateway’s own accounts at providers; undefined where no setting names one. */
  readonly accountsFile: () => string | undefined;
  /** For commands that call a gateway as its administrators do; throws when the settings do not say which. */
  readonly gateway: () => Gateway;
  /** A variable of the environment that a document names. */
  readonly variable: (name: string) => string | undefined;
  /** Somebody reads the output, who is to see colours unless they asked for none. */
  readonly isTerminal: boolean;
  readonly isColoured: boolean;
};

export type Command = {
  /** As they are typed, `organization create`. */
  readonly words: string;
  readonly summary: string;
  readonly argument?: { readonly value: string; readonly meaning: string; readonly isOptional?: boolean };
  readonly options: readonly CommandOption[];
  /** Returns what is printed. */
  run(given: Given, tools: CommandTools): Promise<object>;
  /** The same for people to read, with its line ends; absent: as JSON, as with `--json`. */
  describe?(result: object, tools: Pick<CommandTools, 'isColoured'>): string;
  /** The exit code of what was done; 0 unless it says otherwise. */
  exitCode?(result: object): number;
};

/** What was typed makes no command; the message says how it would. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
