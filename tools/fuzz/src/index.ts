// This room sends the gateway what nobody should send, and sees that it answers properly.
export { runFuzz, type FuzzOptions, type FuzzReport, type Finding } from './run-fuzz';
