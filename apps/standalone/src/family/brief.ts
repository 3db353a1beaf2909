import type { FirstKey } from '../ensure-first-key';

/** What a process is asked to be, by the one that started it. */
export type Brief = {
  readonly name: string;
  /** The first in its place; not one that replaces another. */
  readonly isFirst: boolean;
  /** How many gateways share what settings give to all of them. */
  readonly gateways: number;
  /** Known to the processes of this gateway alone: by it a request is known that one passes on to another. */
  readonly innerSecret: string;
};

export type BooksBrief = Brief & {
  /** Where the embedded Postgres listened before. */
  readonly postgresPort: number | undefined;
  /** Where the gateways serve. */
  readonly port: number;
};

export type GatewayBrief = Brief & {
  /** The port whose connections it will be given. */
  readonly port: number;
  /** Undefined while the books recover what earlier processes left: said when they have, and waited for until then. */
  readonly databaseUrl: string | undefined;
};

/** Where a process that is ready serves its own metrics and health, on this machine alone. */
type Ready = { readonly metricsPort: number };

export type BooksReady = Ready & {
  readonly databaseUrl: string;
  /** Where management and pages are served, on this machine alone. */
  readonly port: number;
  readonly key: FirstKey;
  /** A path that signs an administrator in to the console, once. */
  readonly consoleLink: string | undefined;
};

export type GatewayReady = Ready & {
  /** What someone who has started the gateway wants to know of providers. */
  readonly providers: readonly string[];
};
