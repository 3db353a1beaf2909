// This room keeps what processes share in Redis: journal watermarks and change notices.
export * from './create-redis';
export * from './create-redis-change-notices';
export * from './create-redis-watermark-store';
