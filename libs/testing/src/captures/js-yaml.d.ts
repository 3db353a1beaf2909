// The package ships no types; this is all that is used of it.
declare module 'js-yaml' {
  export function load(text: string): unknown;
}
