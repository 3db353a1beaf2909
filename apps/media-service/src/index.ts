// This app serves images, speech and transcription.
export { composeMediaService } from './compose';
export { mediaServiceEnv } from './env';
export { createLengthMeasurer } from './recordings/create-length-measurer';
