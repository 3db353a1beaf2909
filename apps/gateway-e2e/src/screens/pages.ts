/** Every page of the console and its tabs, by the name of its picture. */
export const SCREENS: Readonly<Record<string, string>> = {
  overview: '/console/?range=30d',
  'overview-by-key': '/console/?range=30d&cut=api_key_id',
  'overview-times': '/console/?range=30d&measure=p95',
  requests: '/console/requests',
  models: '/console/models',
  playground: '/console/playground?model=sandbox%2Fchat',
  keys: '/console/keys',
  'keys-new': '/console/keys?dialog=new',
  groups: '/console/groups',
  'groups-new': '/console/groups?dialog=new',
  members: '/console/members',
  'members-invite': '/console/members?dialog=invite',
  'rules-access-lists': '/console/rules',
  'rules-routes': '/console/rules?tab=routes',
  'rules-plan': '/console/rules?tab=plan&model=policy%2Fsupport',
  'rules-guardrails': '/console/rules?tab=guardrails',
  'rules-data': '/console/rules?tab=data',
  limits: '/console/limits',
  'limits-new': '/console/limits?dialog=new',
  providers: '/console/providers',
  provider: '/console/providers/sandbox',
  'provider-accounts': '/console/providers/openai',
  'money-balance': '/console/money',
  'money-months': '/console/money?tab=months',
  'money-alerts': '/console/money?tab=alerts',
  'money-estimate': '/console/money?tab=estimate',
  audit: '/console/audit',
  'not-found': '/console/nowhere',
};

/** Settings of a gateway that has something to show on each of them. */
export const SCREEN_SETTINGS: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: 'sk-of-the-gateway',
  PROVIDER_OPENAI_ACCOUNTS: JSON.stringify([
    { id: 'eu-1', weight: 3, region: 'eu', api_key: { env: 'OPENAI_EU' } },
    { id: 'spare', weight: 0, api_key: { env: 'OPENAI_EU' } },
  ]),
  OPENAI_EU: 'sk-of-an-account',
  // Where no one listens: nothing of a picture goes anywhere.
  OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
};
