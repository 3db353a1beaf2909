import type { DestinationStream, Logger } from 'pino';

/** Writes lines whose members are text already: what a logger does for every line, done once for all of a kind. */
export type LineWriter = {
  /** Writes a line of level `info`; `members` is JSON of them, each with a comma before it. */
  write(members: string): void;
};

type WriterParts = { readonly log: Logger; readonly service: string; readonly destination: DestinationStream };

const INFO = 30;
/** Quotes, backslashes and control characters are escaped in JSON; halves of characters are by some writers and not by others. */
// eslint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

const writers = new WeakMap<Logger, LineWriter>();

/** Makes the writer of a logger, for those that look for it. */
export function addLineWriter({ log, service, destination }: WriterParts): void {
  const start = `{"level":${INFO},"severity":"info","time":`;
  const base = `,"service":${JSON.stringify(service)}`;
  writers.set(log, {
    write: (members) => {
      if (log.isLevelEnabled('info')) destination.write(`${start}${Date.now()}${base}${members}}\n`);
    },
  });
}

/** The writer to the destination of a logger; undefined for one that was made elsewhere. */
export function findLineWriter(log: Logger): LineWriter | undefined {
  return writers.get(log);
}

/** Whether a text stands in JSON as it is. */
export function isPlainText(text: string): boolean {
  return !NEEDS_ESCAPE.test(text);
}
