/**
 * For statements that read `usage_event FINAL`: rows of one place are always in one partition, since the instant is a part of
 * the key, so partitions need not be compared with each other.
 */
export const READ_ONCE = { do_not_merge_across_partitions_select_final: 1 } as const;
