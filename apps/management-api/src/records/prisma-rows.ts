import type { Prisma } from '@weir/database';

export type Organization = Prisma.OrganizationGetPayload<object>;
