// This room keeps what processes share in Redis: journal watermarks and change notices.
export {};
