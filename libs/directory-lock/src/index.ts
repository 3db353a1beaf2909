// This library keeps a directory to one process and one user: a lock that dies with its holder, modes that shut others out.
export { isProcessAlive } from './is-process-alive';
export { lockDirectory, describeLockHolder, readLockHolder, type DirectoryLock } from './lock-directory';
export { makePrivateDirectory, tightenMode } from './private-directory';
export { identifyProcess, isKnownToHaveEnded, type ProcessIdentity } from './process-identity';
