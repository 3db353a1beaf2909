// This tool sends the same requests through two builds of the gateway and compares everything that can be seen of them.
export { runDifferential } from './run-differential';
