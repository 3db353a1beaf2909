// This room holds the one neutral language in the middle, which dialects and providers both speak.
export * from './chat-event';
export * from './chat-reply';
export * from './chat-request';
export * from './collect-reply';
export * from './content';
export * from './embedding';
export * from './finish-reason';
export * from './loss-report';
export * from './original-body';
export * from './remote-media';
export * from './usage';
