export { fillOrganization, type FilledOrganization } from './fill-organization';
export { makeAttempt } from './make-attempt';
export { makeKeyRecord } from './make-key-record';
export { makePassport } from './make-passport';
export { makeRecording } from './make-recording';
export { API_KEY_ID, makeUsageEvent, NO_UNITS, ORGANIZATION_ID, sequenceEvents } from './make-usage-event';
export * from './plant-wrong-types';
