import { makeKeyRecord } from '@weir/testing';
import { checkDeployment, findDataProblem, planDataRules, type DataRules, type ModelDataFacts } from './check-data-policy';
import type { OrganizationSettings } from './ports/principal';

const settings = (changes: Partial<OrganizationSettings> = {}): OrganizationSettings => makeKeyRecord({}, changes).organization;
const FREE: DataRules = { residency: null, isZeroRetention: false, isTrainingAllowed: true };
const model = (changes: Partial<ModelDataFacts['dataPolicy']> & { geolocation?: string | null } = {}): ModelDataFacts => {
  const { geolocation = null, retention = null, training = null } = changes;
  return { id: 'acme/model', geolocation, dataPolicy: { retention, training } };
};

describe('planDataRules', () => {
  it('lets a request be stricter than its organization, never laxer', () => {
    expect(planDataRules(settings(), {})).toEqual(FREE);
    expect(planDataRules(settings(), { residency: 'eu', isZeroRetention: true, isTrainingAllowed: false })).toEqual({
      residency: 'eu',
      isZeroRetention: true,
      isTrainingAllowed: false,
    });
    const strict = settings({ dataResidency: 'eu', isZeroDataRetention: true, isTrainingAllowed: false });
    const lax = { residency: null, isZeroRetention: false, isTrainingAllowed: true };
    expect(planDataRules(strict, lax)).toEqual({ residency: 'eu', isZeroRetention: true, isTrainingAllowed: false });
  });

  it('refuses a request for another area than its organization has', () => {
    expect(() => planDataRules(settings({ dataResidency: 'eu' }), { residency: 'us' })).toThrow('has to stay in the EU');
  });
});

describe('checkDeployment', () => {
  it('names the address inside the area', () => {
    const place = { region: 'us', addresses: { eu: 'https://eu.gateway.example' } } as const;
    expect(() => checkDeployment({ ...FREE, residency: 'eu' }, place)).toThrow('Send the request to https://eu.gateway.example.');
    expect(() => checkDeployment({ ...FREE, residency: 'us' }, place)).not.toThrow();
    expect(() => checkDeployment(FREE, place)).not.toThrow();
  });

  it('promises nothing where no one said where the gateway runs, and names no setting of the operator', () => {
    expect(() => checkDeployment({ ...FREE, residency: 'eu' }, { region: null, addresses: {} })).toThrow(
      'has to stay in the EU, and this gateway does not promise to run there. Ask an administrator for the address of a gateway in the EU.',
    );
  });
});

describe('findDataProblem', () => {
  it.each([
    ['eu', 'EU', true],
    ['eu', 'US', false],
    ['eu', null, false],
    ['us', 'us', true],
    ['ap', 'JP', true],
    ['ap', 'AU', true],
    ['ap', 'SA', false],
  ] as const)('data that has to stay in %s and a host in %s: %s', (residency, geolocation, isFine) => {
    expect(findDataProblem({ ...FREE, residency }, model({ geolocation })) === undefined).toBe(isFine);
  });

  it.each([
    [false, false, true],
    [false, null, true],
    [false, true, false],
    [null, false, false],
    [true, false, false],
  ])('zero retention and a record of retention %s, training %s: %s', (retention, training, isFine) => {
    expect(findDataProblem({ ...FREE, isZeroRetention: true }, model({ retention, training })) === undefined).toBe(isFine);
  });

  it.each([
    [false, true],
    [null, false],
    [true, false],
  ])('no training and a record of %s: %s', (training, isFine) => {
    expect(findDataProblem({ ...FREE, isTrainingAllowed: false }, model({ training })) === undefined).toBe(isFine);
  });

  it('asks nothing of models when nothing is ruled', () => {
    expect(findDataProblem(FREE, model({ retention: true, training: true }))).toBeUndefined();
  });
});
