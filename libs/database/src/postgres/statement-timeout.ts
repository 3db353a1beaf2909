/**
 * How long a request waits for Postgres where its own response is then "try again". A server that falls silent
 * ends no connection, and the operating system notices only after a quarter of an hour; one that is merely busy may
 * take seconds.
 */
export const ANSWER_TIMEOUT_MS = 8_000;
