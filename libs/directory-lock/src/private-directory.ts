import { chmodSync, mkdirSync, statSync } from 'node:fs';

type PrivateOptions = {
  /** Others may pass through to what they know the name of, but not look around. */
  readonly isPassable?: boolean;
};

/** Makes a directory that only its owner may enter, or shuts others out of one that is there. */
export function makePrivateDirectory(path: string, { isPassable = false }: PrivateOptions = {}): void {
  mkdirSync(path, { recursive: true, mode: isPassable ? 0o711 : 0o700 });
  tightenMode(path, isPassable ? 0o011 : 0);
}

/** Takes from others what they may do with a file or directory. One that belongs to another user is left as its owner has it. */
export function tightenMode(path: string, kept = 0): void {
  if (process.platform === 'win32') return; // access lists there come from the folder above
  const { mode, uid } = statSync(path);
  const wanted = mode & 0o7777 & ~(0o077 & ~kept);
  if (wanted === (mode & 0o7777)) return;
  const self = process.getuid?.();
  if (self === uid || self === 0) chmodSync(path, wanted);
}
