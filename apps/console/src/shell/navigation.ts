import type { IconName } from '../design/icons';
import type { Session } from '../api/session';

export type NavigationEntry = {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** Who has any use for it; everyone unless given. The gateway decides what is shown there. */
  readonly isFor?: (session: Session) => boolean;
};

/** The sidebar, from top to bottom. A page that is not built is not here. */
export const NAVIGATION: readonly NavigationEntry[] = [
  { to: '/', label: 'Overview', icon: 'overview' },
  { to: '/requests', label: 'Requests', icon: 'requests' },
  { to: '/models', label: 'Models', icon: 'models' },
  { to: '/playground', label: 'Playground', icon: 'playground', isFor: ({ permissions }) => permissions.completions === 'write' },
  { to: '/keys', label: 'Keys', icon: 'keys', isFor: ({ permissions }) => permissions.manage !== 'none' },
  { to: '/groups', label: 'Groups', icon: 'groups', isFor: ({ permissions }) => permissions.manage !== 'none' },
  { to: '/members', label: 'Members', icon: 'members', isFor: ({ permissions }) => permissions.manage !== 'none' },
  { to: '/rules', label: 'Rules', icon: 'rules', isFor: ({ permissions }) => permissions.manage !== 'none' },
  { to: '/limits', label: 'Limits', icon: 'limits' },
  {
    to: '/providers',
    label: 'Providers',
    icon: 'providers',
    isFor: ({ permissions, is_administrator: isAdministrator }) => isAdministrator && permissions.manage !== 'none',
  },
  {
    to: '/money',
    label: 'Money',
    icon: 'money',
    isFor: ({ permissions, is_administrator: isAdministrator }) => isAdministrator && permissions.manage !== 'none',
  },
  {
    to: '/audit',
    label: 'Audit',
    icon: 'audit',
    isFor: ({ permissions, is_administrator: isAdministrator }) => isAdministrator && permissions.manage !== 'none',
  },
];
