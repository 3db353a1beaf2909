import * as Radix from '@radix-ui/react-dropdown-menu';
import { Fragment, type ReactNode } from 'react';
import './overlay.css';

export type MenuEntry =
  | {
      readonly label: string;
      readonly onSelect: () => void;
      readonly icon?: ReactNode;
      readonly isDanger?: boolean;
      readonly isDisabled?: boolean;
    }
  | { readonly heading: string }
  | 'line';

type MenuProps = {
  /** The button that opens it: one element that takes a ref, such as `Button`. */
  readonly trigger: ReactNode;
  readonly entries: readonly MenuEntry[];
  readonly align?: 'start' | 'end';
};

export function Menu({ trigger, entries, align = 'end' }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align={align} sideOffset={4} collisionPadding={8}>
          {entries.map((entry, index) => (
            <Fragment key={index}>{drawEntry(entry)}</Fragment>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function drawEntry(entry: MenuEntry): ReactNode {
  if (entry === 'line') return <Radix.Separator className="menu-line" />;
  if ('heading' in entry) return <Radix.Label className="menu-label">{entry.heading}</Radix.Label>;
  const className = entry.isDanger === true ? 'menu-item menu-item-danger' : 'menu-item';
  return (
    <Radix.Item className={className} onSelect={entry.onSelect} disabled={entry.isDisabled === true}>
      {entry.icon}
      {entry.label}
    </Radix.Item>
  );
}
