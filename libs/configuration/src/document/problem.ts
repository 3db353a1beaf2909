/** What is wrong, where in the document, and what to do about it. */
export type Problem = { readonly path: string; readonly message: string };
