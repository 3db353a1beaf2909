// This tool breaks a running system on purpose and checks that no usage is lost or counted twice.
export * from './check/check-invariants';
export * from './rig/read-metrics';
export * from './rig/start-rig';
export * from './load/client-request';
export * from './load/models';
export * from './provider/plan-reply';
export * from './provider/start-sim-provider';
export * from './random';
