// Lints an OpenAPI document from standard input; prints one line a problem. Of its own, because the linter is an ES module.
import { text } from 'node:stream/consumers';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const config = await createConfig({ extends: ['recommended-strict'] });
const problems = await lintFromString({ source: await text(process.stdin), absoluteRef: 'openapi.json', config });
for (const { ruleId, severity, message, location } of problems) {
  console.log(`${ruleId} ${severity} ${location[0]?.pointer ?? ''} ${message.replaceAll('\n', ' ')}`);
}
