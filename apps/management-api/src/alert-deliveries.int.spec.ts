import { randomUUID } from 'node:crypto';
import { useManagement } from './__fixtures__/use-management';

describe('what an alert has reported', () => {
  const suite = useManagement();

  const fire = async (alertId: string, more: object): Promise<string> => {
    const { id } = await suite.harness.database.prisma.alertFiring.create({
      data: { alertId, organizationId: suite.ours.id, valuePico: '40000000000001', thresholdPico: '40000000000000', period: '', ...more },
    });
    return id;
  };

  it('is listed newest first, page by page, with amounts to the last digit', async () => {
    const alert = await suite.make.alert();
    const failed = await fire(alert, {
      period: '2026-10',
      status: 'dead',
      attempts: 10,
      lastResult: '503',
      firedAt: new Date('2026-10-20T10:00:00Z'),
    });
    const waiting = await fire(alert, {
      period: '2026-11',
      attempts: 1,
      lastResult: 'the connection was refused',
      firedAt: new Date('2026-11-20T10:00:00Z'),
      nextAttemptAt: new Date('2026-11-20T10:05:00Z'),
    });

    const first = await suite.get(`/v1/manage/alert/${alert}/delivery?limit=1`);
    expect(first).toEqual({
      deliveries: [
        {
          id: waiting,
          kind: 'crossed',
          period: '2026-11',
          repetition: 0,
          value: '40.000000000001',
          threshold: '40',
          unit: 'USD',
          status: 'pending',
          attempts: 1,
          last_result: 'the connection was refused',
          fired_at: '2026-11-20T10:00:00.000Z',
          next_attempt_at: '2026-11-20T10:05:00.000Z',
          delivered_at: null,
        },
      ],
      next: waiting,
    });
    expect(await suite.get(`/v1/manage/alert/${alert}/delivery?limit=1&cursor=${waiting}`)).toMatchObject({
      deliveries: [{ id: failed, status: 'dead', last_result: '503', next_attempt_at: null }],
      next: null,
    });
  });

  it('says its unit and repetition, and the period without what makes it unique', async () => {
    const alert = await suite.make.alert();
    const scope = 'limit:x:tokens:-:day@1';
    await fire(alert, {
      period: `${scope}#2#recovered`,
      kind: 'recovered',
      repetition: 2,
      valuePico: '70',
      thresholdPico: '80',
      details: { unit: 'tokens' },
    });
    expect(await suite.get(`/v1/manage/alert/${alert}/delivery`)).toMatchObject({
      deliveries: [{ kind: 'recovered', period: scope, repetition: 2, value: '70', threshold: '80', unit: 'tokens' }],
    });
  });

  it('is not shown to another organization', async () => {
    const alert = await suite.make.alert();
    await fire(alert, {});
    const { apiKey } = await suite.seedOther();
    const reply = await suite.harness.call('GET', `/v1/manage/alert/${alert}/delivery`, { key: apiKey });
    expect(reply.status).toBe(404);
    expect((await suite.send('GET', `/v1/manage/alert/${randomUUID()}/delivery`)).status).toBe(404);
  });
});
