import { useState } from 'react';
import { useSession } from '../../api';
import { KEPT_PREFIX } from './forget-playground';

/** Text that survives a reload, in this tab and for this key. */
export function useKeptText(name: string): [text: string, setText: (text: string) => void] {
  const { key } = useSession();
  const place = `${KEPT_PREFIX}:${key.id}:${name}`;
  const [text, setText] = useState(() => sessionStorage.getItem(place) ?? '');
  const keep = (next: string): void => {
    setText(next);
    try {
      sessionStorage.setItem(place, next);
    } catch {
      sessionStorage.removeItem(place); // too long to be kept
    }
  };
  return [text, keep];
}
