// This tool breaks a running system on purpose and checks that no usage is lost or counted twice.
export { readMetrics } from './rig/read-metrics';
export { encodeBody, type ClientRequest } from './load/client-request';
export { MODELS, CHAT_MODELS, CHAT_ENDPOINTS, PATHS } from './load/models';
export { describePrompt } from './provider/plan-reply';
export { startSimProvider } from './provider/start-sim-provider';
export { createRandom, pickInteger, pickOne, type Random } from './random';
