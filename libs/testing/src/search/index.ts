export * from './find-secrets';
