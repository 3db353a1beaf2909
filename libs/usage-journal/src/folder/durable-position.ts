/** Up to where a journal is safe on disk. Only that is shipped: a sequence once seen elsewhere must never be given out again. */
export type DurablePosition = { readonly segment: number; readonly offset: number; readonly nextSequence: number };
