// This room decodes and encodes the chat dialects that clients speak.
export * from './wire-format';
