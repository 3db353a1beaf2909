import { lazy, Suspense, useEffect, useState } from 'react';
import { Icon } from '../../design/icons';
import { useForemost } from '../../design/overlay/foremost';
import './search-button.css';

/** Loaded when it is opened for the first time. */
const SearchDialog = lazy(() => import('./search-dialog').then((loaded) => ({ default: loaded.SearchDialog })));

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** Opens the search, as Ctrl-K or Cmd-K does from anywhere in the console. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  useForemost(isOpen);
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return;
      // The browser's own meaning of it, a search elsewhere, is not what is wanted here.
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', open);
    return () => window.removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <button
        type="button"
        className="search-button"
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" size={14} />
        <span className="search-button-text">Search</span>
        <span className="visually-hidden"> everywhere</span>
        <kbd className="search-button-keys" aria-hidden="true">
          {isMac ? '⌘K' : 'Ctrl K'}
        </kbd>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
