/** What this library logs; any structured logger fits. */
export type DatabaseLog = {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
};

export const SILENT_LOG: DatabaseLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
