// Asks this container's own service for its health, on the port that callers cannot reach and so cannot overload: exit code 0 for a 2xx.
//   node docker/check-health.mjs [path]      /healthz unless given
// A standalone names no service; it has the gateway's port.
const PORTS = { 'edge-router': 4000, 'chat-translator': 4001, 'media-service': 4002, 'management-api': 4003, 'usage-aggregator': 4004 };
const { SERVICE = '', PORT = PORTS[SERVICE] ?? 4000, METRICS_PORT } = process.env;
const [, , path = '/healthz'] = process.argv;

// No one outside knows which free port 0 took.
const port = Number(METRICS_PORT) || PORT;
const isWell = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2500) }).then(
  (answer) => answer.ok,
  () => false,
);
process.exit(isWell ? 0 : 1);
