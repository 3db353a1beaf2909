// This room serves images, speech and transcription.
export { composeMediaService } from './compose';
