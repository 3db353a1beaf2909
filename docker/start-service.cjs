// Starts the service that SERVICE names, for images and platforms that choose by environment instead of by command.
const SERVICES = ['edge-router', 'chat-translator', 'media-service', 'management-api', 'usage-aggregator'];
const service = process.env.SERVICE ?? '';

if (!SERVICES.includes(service)) {
  console.error(`SERVICE must be one of ${SERVICES.join(', ')}`);
  process.exit(1);
}
require(`../apps/${service}/dist/main.js`);
