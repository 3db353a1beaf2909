export { describeWithRealParts } from './describe-with-real-parts';
export { endWithProcess } from './end-with-process';
export { getKafka, type RealKafka } from './get-kafka';
export { getKeycloak, type RealKeycloak } from './get-keycloak';
export { getPostgres, type RealPostgres } from './get-postgres';
export { getRedis, type RealRedis } from './get-redis';
export type { RealPart } from './real-part';
