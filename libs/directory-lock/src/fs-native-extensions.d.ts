/** The package carries no types of its own. */
declare module 'fs-native-extensions' {
  /** Returns false when another open file has the lock; throws where locks cannot be had. */
  export function tryLock(fd: number): boolean;
}
