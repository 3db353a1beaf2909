/**
 * An edge asks a worker with this header whether it understands short passports, and a worker replies with it: only an edge
 * that asked knows that the header is not for the caller.
 */
export const GREETING_HEADER = 'x-weir-greeting';

/** What an edge asks with. */
export const GREETING = '2';

/** Who is at the other end of a connection. */
export type Greeting = {
  /** One process of a worker: what it knows of terms, it knows on all of its connections. */
  readonly process: string;
  /** The name of the connection, for as long as it is open. */
  readonly connection: string;
};

const WRITTEN = /^2\.([\w-]{1,64})\.([\w-]{1,64})$/;

export function describeGreeting({ process, connection }: Greeting): string {
  return `${GREETING}.${process}.${connection}`;
}

/** Undefined for one of another version. */
export function readGreeting(header: string | string[] | undefined): Greeting | undefined {
  const [, process, connection] = (typeof header === 'string' && WRITTEN.exec(header)) || [];
  return process === undefined || connection === undefined ? undefined : { process, connection };
}
