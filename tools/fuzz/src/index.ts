// This tool sends the gateway what no one should send, and sees that it answers properly.
export { runFuzz, type FuzzOptions, type FuzzReport, type Finding } from './run-fuzz';
