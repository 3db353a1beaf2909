import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import './overlay.css';

type Tip = { readonly text: string; readonly anchor: Element };

const EDGE = 8;

/** Shows the `data-tip` of what is pointed at or focused. One for all, so that a table of a thousand amounts has no thousand of them. */
export function TipRegion() {
  const [tip, setTip] = useState<Tip | null>(null);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const show = (event: Event): void => {
      const anchor = event.target instanceof Element ? event.target.closest('[data-tip]') : null;
      const text = anchor?.getAttribute('data-tip') ?? '';
      setTip(anchor === null || text === '' ? null : { text, anchor });
    };
    const hide = (): void => setTip(null);
    const hideOnEscape = (event: KeyboardEvent): void => void (event.key === 'Escape' && hide());
    document.addEventListener('pointerover', show);
    document.addEventListener('focusin', show);
    document.addEventListener('focusout', hide);
    document.addEventListener('pointerdown', hide);
    document.addEventListener('scroll', hide, true);
    document.addEventListener('keydown', hideOnEscape);
    return () => {
      document.removeEventListener('pointerover', show);
      document.removeEventListener('focusin', show);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('pointerdown', hide);
      document.removeEventListener('scroll', hide, true);
      document.removeEventListener('keydown', hideOnEscape);
    };
  }, []);

  useLayoutEffect(() => {
    if (tip === null || box.current === null) return;
    const around = tip.anchor.getBoundingClientRect();
    const { width, height } = box.current.getBoundingClientRect();
    const above = around.top - height - 6;
    const left = around.left + (around.width - width) / 2;
    box.current.style.top = `${above < EDGE ? around.bottom + 6 : above}px`;
    box.current.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - width - EDGE))}px`;
  }, [tip]);

  // What it says is also said to screen readers where it is shown.
  return tip === null ? null : (
    <div className="tip" ref={box} aria-hidden="true">
      {tip.text}
    </div>
  );
}
