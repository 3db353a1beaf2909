// This app serves images, speech and transcription.
export { composeMediaService } from './compose';
export { mediaServiceEnv } from './env';
export { createThreadMeasurer } from './recordings/measure-in-threads';
