// This library measures how long a recording lasts, by its bytes.
export { measureAudio } from './measure-audio';
export { measureSeconds } from './measure-seconds';
