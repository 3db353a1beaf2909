// This room parses a process's environment once, reports every problem, and freezes the result.
export {};
