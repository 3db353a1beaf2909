// This room breaks a running system on purpose and checks that no usage is lost or counted twice.
export * from './check/check-invariants';
export * from './house/start-rig';
export * from './network/start-cutting-proxy';
export * from './provider/start-sim-provider';
