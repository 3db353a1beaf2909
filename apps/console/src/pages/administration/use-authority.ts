import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api';
import { selfQuery } from './lists';

export type Authority = {
  /** May change anything at all. */
  readonly canWrite: boolean;
  /** Administers the organization, and may change it. */
  readonly canAdminister: boolean;
  /** Administers the organization or a group, and may change it. */
  readonly canLead: boolean;
  /** Reads what only administrators of the organization read. */
  readonly seesAll: boolean;
  readonly seesGroups: boolean;
};

/** What is offered; the gateway decides what is done. */
export function useAuthority(): Authority {
  const { permissions, is_administrator: isAdministrator } = useSession();
  const self = useQuery({ ...selfQuery, enabled: !isAdministrator });
  const canWrite = permissions.manage === 'write';
  const canRead = permissions.manage !== 'none';
  const isGroupAdmin = self.data?.acts_as === 'group-admin';
  return {
    canWrite,
    canAdminister: canWrite && isAdministrator,
    canLead: canWrite && (isAdministrator || isGroupAdmin),
    seesAll: canRead && isAdministrator,
    seesGroups: canRead && (isAdministrator || isGroupAdmin),
  };
}
