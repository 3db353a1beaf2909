// This tool runs the whole money path in worlds of its own, with faults in every step, and says by which seed a promise breaks.
export { runWorld, type WorldReport } from './run-world';
