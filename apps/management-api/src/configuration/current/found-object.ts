import type { ConfigurationKind, DigestSecret, Fields } from '@weir/configuration';
import type { Prisma } from '@weir/database';
import type { RouteParts } from '../../route/management-parts';

/** An object before what is called by an id in it is called by a name. */
export type FoundObject = {
  readonly kind: ConfigurationKind;
  readonly id: string;
  /** What the organization calls it; absent for kinds that have no names. */
  readonly ownName?: string;
  readonly fields: Fields;
  /** Fields that hold an id, and the kind of what it is an id of. */
  readonly references?: Readonly<Record<string, ConfigurationKind>>;
};

export type Reading = {
  readonly tx: Prisma.TransactionClient;
  readonly organizationId: string;
  readonly parts: RouteParts;
  readonly digest: DigestSecret;
};
