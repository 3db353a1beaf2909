// This library keeps a directory to one process and one user: a lock that dies with its holder, modes that shut others out.
export * from './is-process-alive';
export * from './lock-directory';
export * from './private-directory';
