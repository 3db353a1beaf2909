export * from './make-test-folder';
