import { loadEnv } from '../load-env';
import { readUsageFileSettings, usageFilesEnv } from './usage-files';

const read = (source: Record<string, string>) => readUsageFileSettings(loadEnv(usageFilesEnv, source));
const ORGANIZATION = '11111111-1111-4111-8111-11111111111A';

describe('usage as files', () => {
  it('is exported where there is a bucket: all of it, unless less is asked for', () => {
    expect(read({})).toBeUndefined();
    expect(read({ USAGE_FILES_BUCKET: 'lake' })).toEqual({
      ...{ bucket: 'lake', prefix: 'weir-usage', region: 'us-east-1', endpoint: undefined, credentials: undefined, isPathStyle: false },
      ...{ encryption: { kind: 'none', kmsKeyId: undefined }, formats: ['parquet', 'csv'], organizations: null, days: 45 },
      datasets: ['events', 'hours', 'days', 'keys', 'models', 'focus'],
    });
    expect(
      read({
        ...{ USAGE_FILES_BUCKET: 'lake', USAGE_FILES_PREFIX: '/a/b/', USAGE_FILES_FORMATS: 'csv, csv', USAGE_FILES_DATASETS: 'focus,days' },
        ...{ USAGE_FILES_ORGANIZATIONS: ORGANIZATION, USAGE_FILES_ACCESS_KEY_ID: 'k', USAGE_FILES_SECRET_ACCESS_KEY: 's' },
      }),
    ).toMatchObject({
      ...{ prefix: 'a/b', formats: ['csv'], datasets: ['focus', 'days'], organizations: [ORGANIZATION.toLowerCase()] },
      credentials: { accessKeyId: 'k', secretAccessKey: 's' },
    });
  });

  it('is refused when half of a key is given, or what there is not', () => {
    expect(() => read({ USAGE_FILES_ACCESS_KEY_ID: 'k' })).toThrow('USAGE_FILES_SECRET_ACCESS_KEY');
    for (const [name, value] of [
      ['USAGE_FILES_FORMATS', 'orc'],
      ['USAGE_FILES_DATASETS', ','],
      ['USAGE_FILES_DAYS', '121'],
      ['USAGE_FILES_ORGANIZATIONS', 'ours'],
      ['USAGE_FILES_PREFIX', 'a b'],
    ] as const)
      expect(() => read({ [name]: value })).toThrow(name);
  });
});
