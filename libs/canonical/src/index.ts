// This room holds the one neutral language in the middle, which dialects and providers both speak.
export * from './chat-event';
export * from './chat-reply';
export * from './chat-request';
export * from './collect-reply';
export * from './content';
export * from './embedding';
export * from './finish-reason';
export { indexElements } from './index-members';
export * from './loss-report';
export * from './media/image';
export * from './media/media-file';
export * from './media/media-usage';
export * from './media/speech';
export * from './media/transcription';
export * from './original-body';
export * from './place-cache-marks';
export * from './remote-media';
export * from './usage';
