// Gives a team a key with a monthly limit, looks it up among all keys, and reads what the organization used today.
//   WEIR_URL=… WEIR_API_KEY=… node dist/examples/team-key.js
import { createManagementClient, take, WeirError } from 'weir-management';

const { WEIR_URL: url = 'http://127.0.0.1:4000', WEIR_API_KEY: apiKey = '' } = process.env;
const client = createManagementClient({ url, apiKey });

const made = take(await client.POST('/v1/manage/apikey', { body: { name: 'search, by TypeScript', labels: { team: 'search' } } }));
const path = { id: made.api_key_id };
take(await client.POST('/v1/manage/apikey/{id}/limit', { params: { path }, body: { monthly_limit: 20 } }));

const { keys } = take(await client.GET('/v1/manage/apikey', { params: { query: { search: 'by TypeScript' } } }));
const found = keys.find(({ id }) => id === made.api_key_id);

const start = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
const query = { start, group_by: ['model_requested'], filter: { model_requested: ['sandbox/chat', 'sandbox/other'] } };
const { usage } = take(await client.GET('/v1/manage/org/usage', { params: { query } }));

// What the compiler cannot know: that no one may owe the gateway something.
const refusal = await client
  .POST('/v1/manage/apikey/{id}/limit', { params: { path }, body: { monthly_limit: -1 } })
  .then(take)
  .catch(explain);

function explain(error: unknown) {
  if (!(error instanceof WeirError)) throw error;
  return { status: error.status, code: error.code, param: error.param };
}

console.log(JSON.stringify({ key: made.api_key, monthly_limit: found?.monthly_limit, usage: Object.values(usage), refusal }));
