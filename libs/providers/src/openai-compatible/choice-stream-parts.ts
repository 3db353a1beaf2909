import type { EventLog } from '../streams/create-event-log';

export type ChoiceStreamParts = {
  readonly log: EventLog;
  readonly choice: number;
  readonly customTools: ReadonlySet<string>;
  readonly detailsFamily: string;
};
