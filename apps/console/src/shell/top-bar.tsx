import { useState } from 'react';
import { toApiError } from '../api/api-error';
import { signOut, useSession } from '../api/session';
import { Button, Dialog, Icon, IconButton, Menu, showToast } from '../design';
import { SearchButton } from './search/search-button';
import { NavigationLinks } from './navigation-links';
import { chooseTheme, useTheme } from './theme';

export function TopBar({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const { organization } = useSession();
  const [isOpen, setOpen] = useState(false);
  return (
    <header className="topbar">
      <div className="topbar-side">
        <IconButton label="Pages" className="sidebar-open" onClick={() => setOpen(true)}>
          <Icon name="menu" />
        </IconButton>
        <span className="topbar-organization">{organization.name}</span>
      </div>
      <div className="topbar-side">
        <SearchButton />
        <ThemeSwitch />
        <AccountMenu onSignedOut={onSignedOut} />
      </div>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Pages">
        <nav aria-label="Pages">
          <NavigationLinks onFollow={() => setOpen(false)} />
        </nav>
      </Dialog>
    </header>
  );
}

function ThemeSwitch() {
  const theme = useTheme();
  const other = theme === 'light' ? 'dark' : 'light';
  return (
    <IconButton label={`Switch to ${other}`} onClick={() => chooseTheme(other)}>
      <Icon name={other} />
    </IconButton>
  );
}

function AccountMenu({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const { key, member, permissions, is_administrator: isAdministrator } = useSession();
  const leave = async (): Promise<void> => {
    try {
      await signOut();
      onSignedOut();
    } catch (error) {
      showToast({ text: `You are still signed in: ${toApiError(error).message}`, kind: 'bad' });
    }
  };
  const trigger = (
    <Button kind="plain" aria-label="Account">
      <Icon name="person" />
      <Icon name="down" size={12} />
    </Button>
  );
  return (
    <Menu
      trigger={trigger}
      entries={[
        { heading: member?.email ?? (isAdministrator && permissions.manage !== 'none' ? 'Administrator' : 'No member') },
        { heading: `Key: ${key.name}` },
        'line',
        { label: 'Sign out', onSelect: () => void leave() },
      ]}
    />
  );
}
