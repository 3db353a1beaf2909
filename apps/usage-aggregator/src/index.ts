// This room folds usage events into hourly, daily and monthly rollups, exactly once.
export {};
