import { useEffect, useState } from 'react';
import { showToast } from '../overlay/toasts';
import { Icon } from '../icons';
import { IconButton } from './button';

type CopyButtonProps = {
  readonly text: string;
  /** What is copied: "Copy the request id". */
  readonly label: string;
};

export function CopyButton({ text, label }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      showToast({ text: 'Copied' });
    } catch {
      showToast({ text: 'The browser does not allow copying here. Select the text instead.', kind: 'bad' });
    }
  };
  return (
    <IconButton label={label} onClick={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} size={16} />
    </IconButton>
  );
}
