/** The part of a logger the journal speaks to. */
export type JournalLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};
