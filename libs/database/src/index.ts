// This room keeps what must last in Postgres: schema, migrations, repositories.
export * from './create-change-log';
export * from './create-database';
export * from './create-key-directory';
export * from './create-spend-reader';
export * from './database-log';
export * from './migrate-database';
export * from './seed-organization';
export * from './usage/create-usage-store';
export { Prisma, type PrismaClient } from './generated/prisma/client';
