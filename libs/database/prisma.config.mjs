// Read by the Prisma command line only; services connect with the address they are given.
export default {
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  ...(process.env.DATABASE_URL === undefined ? {} : { datasource: { url: process.env.DATABASE_URL } }),
};
