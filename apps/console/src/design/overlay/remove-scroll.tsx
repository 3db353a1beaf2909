import { useEffect, type ElementType, type ReactNode } from 'react';

type RemoveScrollProps = { readonly as?: ElementType; readonly children: ReactNode };

let locks = 0;

/**
 * Stands for the package `react-remove-scroll` (vite.config.mjs) under Radix's dialogs and menus. The original writes a style
 * element, which the content security policy refuses; a property set by script is allowed.
 */
export function RemoveScroll({ as: Wrapper = 'div', children }: RemoveScrollProps) {
  useEffect(() => {
    locks += 1;
    document.documentElement.style.overflow = 'hidden';
    return () => {
      locks -= 1;
      if (locks === 0) document.documentElement.style.overflow = '';
    };
  }, []);
  return <Wrapper>{children}</Wrapper>;
}
