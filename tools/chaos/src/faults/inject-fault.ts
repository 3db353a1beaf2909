import type { ServiceName } from '@weir/gateway-e2e';
import { setTimeout as pause } from 'node:timers/promises';
import type { Rig } from '../rig/start-rig';
import type { Fault } from './fault';

/** A consumer waits until its group has given up the one that was killed, half a minute, before it fetches anything. */
const FAIL_POINT_PATIENCE_MS = 120_000;

/** Lets a fault happen and resolves when it is over: what was killed runs again, what was spoilt passes. */
export async function injectFault(rig: Rig, fault: Fault): Promise<void> {
  switch (fault.kind) {
    case 'kill-service':
      return killService(rig, fault.service, fault.downMs);
    case 'freeze-service':
      return freezeService(rig, fault.service, fault.ms);
    case 'kill-part':
      await rig.parts[fault.part].kill();
      await pause(fault.downMs);
      return rig.parts[fault.part].start();
    case 'spoil-line': {
      const proxy = fault.line === 'provider' ? rig.providerProxy : rig.parts[fault.line].proxy;
      proxy.setMode(fault.mode);
      await pause(fault.ms);
      proxy.setMode({ kind: 'pass' });
      // What went into a black hole is gone: who waits for it must learn so.
      return proxy.cut();
    }
    case 'fail-point':
      await failAt(rig, fault.service, `${fault.point}:${fault.action}@${fault.nth}`);
      return reviveService(rig, fault.service);
  }
}

export async function killService(rig: Rig, service: ServiceName, downMs: number): Promise<void> {
  await rig.harness.services[service].kill();
  await pause(downMs);
  await reviveService(rig, service);
}

async function freezeService(rig: Rig, service: ServiceName, ms: number): Promise<void> {
  const { child } = rig.harness.services[service];
  child.kill('SIGSTOP');
  await pause(ms);
  child.kill('SIGCONT');
}

/** Starts a service anew with a fail point and waits for its end; returns whether it ended by itself. */
export async function failAt(rig: Rig, service: ServiceName, failPoint: string): Promise<boolean> {
  await rig.harness.services[service].kill();
  // It may fail before it is ready: that is as good.
  await rig.harness.restart(service, { FAILPOINT: failPoint }).catch(() => undefined);
  const { ended, kill } = rig.harness.services[service];
  const didFail = await Promise.race([ended.then(() => true), pause(FAIL_POINT_PATIENCE_MS).then(() => false)]);
  if (!didFail) await kill();
  return didFail;
}

/** A store that is down may keep a service from starting: it is tried again, as a supervisor would. */
export async function reviveService(rig: Rig, service: ServiceName): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await rig.harness.restart(service);
    } catch (error) {
      if (tries === REVIVALS_MAX) throw error;
      await rig.harness.services[service].kill();
      await pause(500);
    }
  }
}

const REVIVALS_MAX = 10;
