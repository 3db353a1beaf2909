// This room fetches addresses that callers name: only public ones, within bounds of size, time and redirects.
export {};
