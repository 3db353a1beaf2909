export { checkStreamGrammar } from './check-stream-grammar';
export { createSampleEvents } from './create-sample-events';
