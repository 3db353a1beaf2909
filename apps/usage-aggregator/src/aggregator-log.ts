export type AggregatorLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
};
