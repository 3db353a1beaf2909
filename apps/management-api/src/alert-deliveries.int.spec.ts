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
          period: '2026-11',
          value: '40.000000000001',
          threshold: '40',
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

  it('is not shown to another organization', async () => {
    const alert = await suite.make.alert();
    await fire(alert, {});
    const { apiKey } = await suite.seedOther();
    const reply = await suite.harness.call('GET', `/v1/manage/alert/${alert}/delivery`, { key: apiKey });
    expect(reply.status).toBe(404);
    expect((await suite.send('GET', `/v1/manage/alert/${randomUUID()}/delivery`)).status).toBe(404);
  });
});
