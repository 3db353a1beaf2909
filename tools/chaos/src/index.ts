// This room breaks a running system on purpose and checks that no usage is lost or counted twice.
export * from './check/check-invariants';
export * from './house/read-metrics';
export * from './house/start-rig';
export * from './load/client-request';
export * from './load/models';
export * from './provider/plan-reply';
export * from './provider/start-sim-provider';
export * from './random';
