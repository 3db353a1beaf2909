import { Link, type LinkProps } from '@tanstack/react-router';
import { Icon } from '../../design';
import { NAVIGATION } from '../../shell/navigation';
import type { Filter } from './overview-search';
import { findRequestsSearch } from './requests-search';
import type { View } from './view';

const PAGE = '/requests';

type RequestsLinkProps = { readonly view: View; readonly filter?: Filter; readonly name?: string };

/** Down to the single requests, where there is that page and it can express all filters that apply. */
export function RequestsLink({ view: { ranges, filters }, filter, name }: RequestsLinkProps) {
  const search = findRequestsSearch(ranges.now, filter === undefined ? filters : [...filters, filter]);
  if (search === undefined || !NAVIGATION.some(({ to }) => to === PAGE)) return null;
  const link = { to: PAGE, search } as unknown as LinkProps;
  return name === undefined ? (
    <Link {...link} aria-label="Requests of the range">
      Requests
    </Link>
  ) : (
    <Link {...link} aria-label={`Requests of ${name}`} data-tip={`Requests of ${name}`}>
      <Icon name="requests" />
    </Link>
  );
}
