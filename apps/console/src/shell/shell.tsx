import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { BrandMark } from './brand';
import { NavigationLinks } from './navigation-links';
import './shell.css';
import { TopBar } from './top-bar';

/** Around every page of someone who is signed in. */
export function Shell({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  const seen = useRef(path);

  // A new page is read from its start; its own search parameters leave the focus where it is.
  useEffect(() => {
    if (seen.current === path) return;
    seen.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);

  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      {isLoading && <div className="progress" />}
      <aside className="sidebar">
        <Link to="/" className="brand">
          <BrandMark />
          Weir
        </Link>
        <nav aria-label="Pages">
          <NavigationLinks />
        </nav>
      </aside>
      <TopBar onSignedOut={onSignedOut} />
      <main className="main" id="main" tabIndex={-1} ref={main}>
        <div className="page">
          <Outlet />
        </div>
      </main>
    </div>
  );
}
