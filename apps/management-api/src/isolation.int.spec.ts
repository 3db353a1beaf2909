import { getEndpoint } from '@weir/contracts';
import fc from 'fast-check';
import type { EndpointCase } from './__fixtures__/endpoint-case';
import { ENDPOINT_CASES } from './__fixtures__/endpoint-cases';
import { createMaker, type Maker } from './__fixtures__/maker';
import { startManagement, type ManagementHarness, type Organization } from './__fixtures__/start-management';

jest.setTimeout(120_000);

/** One of everything that an organization can have. */
type Belongings = { readonly ids: readonly string[]; readonly lists: () => Promise<string> };

/** Providers belong to no organization, and what is known of them has its moment beside it: a spec of their own looks at them. */
const LISTS = ENDPOINT_CASES.filter(({ id }) => {
  // A list of one thing is asked for by its id, which the first test does.
  const isOfAll = id.startsWith('list-') && id !== 'list-providers' && !getEndpoint(id).path.includes(':');
  return isOfAll || id === 'read-organization';
});
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

let harness: ManagementHarness;
let ours: Organization;
let make: Maker;
let theirs: Belongings;

beforeAll(async () => {
  harness = await startManagement();
  ours = await harness.seed('ours');
  make = createMaker(harness, ours);
  await furnish(ours, make);
  const other = await harness.seed('theirs');
  theirs = await furnish(other, createMaker(harness, other));
});
afterAll(() => harness.stop());

async function furnish(organization: Organization, maker: Maker): Promise<Belongings> {
  const { group, member } = await maker.groupMember();
  const names = [await maker.policy(), await maker.alias()];
  const made = [
    await maker.key(),
    group,
    member,
    await maker.list(),
    await maker.credential(),
    await maker.guardrail(),
    await maker.limit(),
  ];
  const own = [organization.id, organization.apiKeyId, organization.userId];
  const lists = async (): Promise<string> => {
    const replies = await Promise.all(LISTS.map(({ id }) => harness.call('GET', getEndpoint(id).path, { key: organization.apiKey })));
    return replies.map(({ text }) => text).join('\n');
  };
  return { ids: [...made, ...names, ...own], lists };
}

/** A request of ours with whatever the path and the body name exchanged for what is theirs. */
async function reach(given: EndpointCase, pick: (index: number) => string): Promise<{ status: number; text: string; sent: string }> {
  const row = getEndpoint(given.id);
  let count = 0;
  const path = row.path.replace(/:\w+/g, () => pick((count += 1)));
  const body = given.body === undefined ? undefined : JSON.stringify(await given.body(make)).replace(UUID, () => pick((count += 1)));
  const sent = path + (given.query ?? '');
  const reply = await harness.call(row.method, sent, { key: ours.apiKey, ...(body === undefined ? {} : { body }) });
  return { status: reply.status, text: reply.text, sent: `${sent} ${body ?? ''}` };
}

it('never serves an id of another organization, whatever a request names, and changes nothing of it', async () => {
  const before = await theirs.lists();
  for (const id of theirs.ids) expect(before).toContain(id);

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ENDPOINT_CASES),
      fc.array(fc.constantFrom(...theirs.ids), { minLength: 6, maxLength: 6 }),
      async (given, picks) => {
        const { status, text, sent } = await reach(given, (index) => picks[index % picks.length] as string);

        // A refusal may repeat what it was asked for, and nothing else.
        for (const id of theirs.ids) if (status < 300 || !sent.includes(id)) expect(text).not.toContain(id);
        expect(status).toBeLessThan(500);
        const namesTheirs = theirs.ids.some((id) => sent.includes(id));
        if (namesTheirs && given.id !== 'offboard-member') expect([400, 404, 409]).toContain(status);
      },
    ),
    { numRuns: 400, seed: 20_261_121 },
  );

  expect(await theirs.lists()).toBe(before);
});

it('returns lists of one organization without anything of another, page by page too', async () => {
  for (const { id } of LISTS) {
    const { path } = getEndpoint(id);
    const isPaged = id.startsWith('list-');
    let next: string | null = '';
    for (let page = 0; next !== null && page < 200; page += 1) {
      const query: string = isPaged ? `?limit=2${next === '' ? '' : `&cursor=${next}`}` : '';
      const { status, text, json } = await harness.call('GET', path + query, { key: ours.apiKey });
      expect(status).toBe(200);
      for (const their of theirs.ids) expect(text).not.toContain(their);
      next = isPaged ? (json['next'] as string | null) : null;
    }
    expect(next).toBeNull();
  }
});
