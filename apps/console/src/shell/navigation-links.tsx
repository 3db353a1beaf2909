import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { Icon } from '../design/icons';
import { NAVIGATION } from './navigation';

export function NavigationLinks({ onFollow }: { readonly onFollow?: () => void }) {
  const session = useSession();
  const entries = NAVIGATION.filter(({ isFor }) => isFor === undefined || isFor(session));
  return (
    <ul>
      {entries.map(({ to, label, icon }) => (
        <li key={to}>
          <Link to={to} className="nav-link" activeOptions={{ exact: to === '/', includeSearch: false }} onClick={onFollow}>
            <Icon name={icon} />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
