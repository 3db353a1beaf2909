/** Condition on `usage_dead_letter`: neither counted since nor dismissed, so that usage may still be missing. */
export const IS_WAITING = 'replayed_at IS NULL AND dismissed_at IS NULL';
