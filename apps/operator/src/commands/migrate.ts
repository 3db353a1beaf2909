import type { Command } from './command';

export const migrate: Command = {
  words: 'migrate',
  summary: 'Brings the database schema up to date, as every command does first. Repeating it changes nothing.',
  options: [],
  run: async (_given, { open }) => {
    const { database } = await open();
    const migrations = await database.prisma.$queryRaw<
      { migration_name: string }[]
    >`SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY migration_name`;
    return { migrations: migrations.map((row) => row.migration_name) };
  },
};
