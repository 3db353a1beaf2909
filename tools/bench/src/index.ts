// This tool measures the gateway: load generator, fake upstream, CPU microseconds per request.
export { parseOptions, type BenchOptions } from './cells/options';
export { runBench } from './run-bench';
export { summarize, type Row } from './summarize';
