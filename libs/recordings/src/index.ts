// This library measures how long a recording lasts, by its bytes.
export { measureAudio, type AudioSource } from './measure-audio';
export { measureSeconds } from './measure-seconds';
