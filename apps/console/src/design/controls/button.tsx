import type { ButtonHTMLAttributes, ReactNode } from 'react';
import './controls.css';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly kind?: 'normal' | 'primary' | 'danger' | 'plain';
  /** Work is under way: the button keeps its place and cannot be pressed again. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
};

export function Button({ kind = 'normal', isBusy = false, className = '', disabled = false, children, ...more }: ButtonProps) {
  const classes = ['button', kind === 'normal' ? '' : `button-${kind}`, className].filter((name) => name !== '').join(' ');
  return (
    <button type="button" {...more} className={classes} disabled={disabled || isBusy} aria-busy={isBusy}>
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ButtonProps, 'aria-label'> & {
  /** What it does, for those who do not see the icon, and on hover. */
  readonly label: string;
};

export function IconButton({ label, kind = 'plain', className = '', ...more }: IconButtonProps) {
  return <Button {...more} kind={kind} className={`button-icon ${className}`} aria-label={label} data-tip={label} />;
}
