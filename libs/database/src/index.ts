// This room keeps what must last in Postgres: schema, migrations, repositories.
export * from './generated/prisma/client';
