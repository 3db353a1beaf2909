import * as Radix from '@radix-ui/react-popover';
import type { ReactNode } from 'react';
import './overlay.css';

type PopoverProps = {
  readonly trigger: ReactNode;
  /** What it holds, for those who do not see it open. */
  readonly label: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
};

export function Popover({ trigger, label, isOpen, onOpenChange, children }: PopoverProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="popover" aria-label={label} align="start" sideOffset={4} collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
