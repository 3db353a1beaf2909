import { useRef } from 'react';
import { Button } from '../../design';

type FileButtonProps = {
  readonly label: string;
  readonly accept: string;
  readonly isOne?: boolean;
  readonly onFiles: (files: FileList) => void;
};

/** Opens the file chooser. */
export function FileButton({ label, accept, isOne = false, onFiles }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple={!isOne}
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          if (target.files !== null) onFiles(target.files);
          target.value = '';
        }}
      />
      <Button onClick={() => input.current?.click()}>{label}</Button>
    </>
  );
}
