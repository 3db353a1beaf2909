// This tool sends the gateway malformed requests and checks that it refuses them properly.
export { runFuzz, type FuzzOptions, type FuzzReport, type Finding } from './run-fuzz';
