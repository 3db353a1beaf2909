import { loadEnv } from '../load-env';
import { deploymentEnv } from './deployment';

describe('where a gateway runs', () => {
  it('reads its region and the addresses of the others', () => {
    const env = { DEPLOYMENT_REGION: 'us', REGIONAL_ADDRESSES: 'eu=https://eu.gateway.example/, ap=http://10.0.0.1:4000' };
    expect(loadEnv(deploymentEnv, env)).toEqual({
      DEPLOYMENT_REGION: 'us',
      REGIONAL_ADDRESSES: { eu: 'https://eu.gateway.example', ap: 'http://10.0.0.1:4000' },
    });
    expect(loadEnv(deploymentEnv, {})).toEqual({ REGIONAL_ADDRESSES: {} });
  });

  it.each([{ DEPLOYMENT_REGION: 'mars' }, { REGIONAL_ADDRESSES: 'eu' }, { REGIONAL_ADDRESSES: 'mars=https://x.example' }])(
    'refuses %j',
    (env) => {
      expect(() => loadEnv(deploymentEnv, env)).toThrow(Object.keys(env)[0]);
    },
  );
});
