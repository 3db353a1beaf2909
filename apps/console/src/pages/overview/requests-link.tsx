import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../api';
import { Icon } from '../../design';
import { NAVIGATION } from '../../shell/navigation';
import type { Filter } from './overview-search';
import { findRequestsSearch, type Narrowing } from './requests-search';
import { useSeesOwnAlone } from './usage-queries';
import type { View } from './view';

const PAGE = '/requests';

type RequestsLinkProps = { readonly view: View; readonly filter?: Filter; readonly name?: string };

/** Down to the single requests, where there is that page and it can express all filters that apply. */
export function RequestsLink({ view, filter, name }: RequestsLinkProps) {
  const link = useRequestsLink(view, { filter });
  if (link === undefined) return null;
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

type FigureLinkProps = {
  readonly view: View;
  readonly filter?: Filter | undefined;
  /** Which of the requests the figure is made of. */
  readonly only: Narrowing;
  /** Where it leads to, in words. */
  readonly label: string;
  readonly children: ReactNode;
};

/** A figure that leads to the requests it is made of; the figure alone where the list cannot express them. */
export function FigureLink({ view, filter, only, label, children }: FigureLinkProps) {
  const link = useRequestsLink(view, { filter, only });
  if (link === undefined) return children;
  return (
    <Link {...link} className="overview-figure-link" data-tip={label}>
      {children}
      <span className="visually-hidden">: {label}</span>
    </Link>
  );
}

type Target = { readonly filter?: Filter | undefined; readonly only?: Narrowing };

function useRequestsLink({ ranges, filters }: View, { filter, only = {} }: Target): LinkProps | undefined {
  const { key } = useSession();
  // The list may show more than the figures of a key that sees its own alone.
  const own = useSeesOwnAlone() ? [{ dimension: 'api_key_id', value: key.id }] : [];
  const search = findRequestsSearch(ranges.now, [...filters, ...own, ...(filter === undefined ? [] : [filter])]);
  if (search === undefined || !NAVIGATION.some(({ to }) => to === PAGE)) return undefined;
  return { to: PAGE, search: { ...search, ...only } } as unknown as LinkProps;
}
