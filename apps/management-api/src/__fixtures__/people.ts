import type { ManagementSuite } from './use-management';

/** A member of the organization with a key that opens the management interface as far as their roles reach. */
type Person = { readonly userId: string; readonly apiKey: string; readonly apiKeyId: string };

export type Team = { readonly id: string; readonly admin: Person; readonly member: Person };

/** A key as its owner holds it. */
export type HeldKey = { readonly id: string; readonly secret: string };

type PeopleMaker = {
  person(body?: object): Promise<Person>;
  /** A group with an administrator and a plain member. */
  team(body?: object): Promise<Team>;
  key(body: object): Promise<HeldKey>;
};

/** Makes people through the interface, as the organization's first administrator. */
export function createPeopleMaker(suite: Pick<ManagementSuite, 'make' | 'send' | 'createKey'>): PeopleMaker {
  const person = async (body: object = {}): Promise<Person> => {
    const userId = await suite.make.member(body);
    const { id, secret } = await suite.createKey({ name: 'manages', member_id: userId, permissions: { manage: 'write' } });
    return { userId, apiKey: secret, apiKeyId: id };
  };
  return {
    person,
    team: async (body = {}) => {
      const [id, admin, member] = [await suite.make.group(body), await person(), await person()];
      await suite.send('POST', `/v1/manage/group/${id}/member`, { user_id: admin.userId, role: 'admin' });
      await suite.send('POST', `/v1/manage/group/${id}/member`, { user_id: member.userId, role: 'member' });
      return { id, admin, member };
    },
    key: (body) => suite.createKey(body),
  };
}
