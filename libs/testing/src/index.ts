// This library holds what tests share: a fake upstream, real parts, samples.
export { type Capture, loadCapture, loadCaptures, describeWithFixtures, hasFixtures, listCaptures, replyFromCapture } from './captures';
export {
  createDefaultReply,
  startFakeUpstream,
  type FakeUpstream,
  type RecordedRequest,
  type ReplyScript,
  encodeSseFrame,
} from './fake-upstream';
export { makeTestFolder } from './folders';
export { makeCertificate, startCuttingProxy, type CuttingProxy, type ProxyMode } from './network';
export {
  describeWithRealParts,
  endWithProcess,
  getBrowser,
  type RealBrowser,
  getClickHouse,
  type RealClickHouse,
  getKafka,
  getKeycloak,
  type RealKeycloak,
  getPostgres,
  type RealPostgres,
  findPrometheus,
  getPrometheus,
  type RealPrometheus,
  getPython,
  getRedis,
  type RealRedis,
  getRedisCluster,
  type RealRedisCluster,
  getS3,
  type RealS3,
  renderChart,
  type RenderedChart,
  startOwnPostgres,
  type OwnPostgres,
  startOidcProvider,
  type OidcAccounts,
  type OidcProvider,
} from './parts';
export {
  fillOrganization,
  type FilledOrganization,
  makeAttempt,
  makeKeyRecord,
  makePassport,
  makeRecording,
  API_KEY_ID,
  makeUsageEvent,
  NO_UNITS,
  ORGANIZATION_ID,
  sequenceEvents,
  plantWrongTypes,
  type Planted,
} from './samples';
export { spellingsOf, findSecrets, dumpDatabase, readDatabaseFiles } from './search';
export { signInAtProvider } from './sign-in';
export { checkStreamGrammar, createSampleEvents } from './stream-grammar';
export { waitUntil } from './waiting';
export { createMemoryMetering, type MemoryMetering, serveWorker, type ServedWorker } from './workers';
export { plantSecrets, type PlantedBody } from './samples/plant-secrets';
