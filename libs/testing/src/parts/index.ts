export { describeWithRealParts } from './describe-with-real-parts';
export { endWithProcess } from './end-with-process';
export { getBrowser, type RealBrowser } from './get-browser';
export { getKafka, type RealKafka } from './get-kafka';
export { getKeycloak, type RealKeycloak } from './get-keycloak';
export { getPostgres, type RealPostgres } from './get-postgres';
export { getRedis, type RealRedis } from './get-redis';
export { getS3, type RealS3 } from './get-s3';
export type { RealPart } from './real-part';
