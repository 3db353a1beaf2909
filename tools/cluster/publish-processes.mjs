import { ADDRESS } from './own-network.mjs';

/**
 * Says where the processes of a service are, as the controllers of a cluster do: a slice for each, because each has a port of
 * its own here. Endings and beginnings are said before and after they happen.
 */
export function createPublisher(api, namespace) {
  return async function publish(service, replica, port, { ready, terminating = false }) {
    await api.apply(
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name: `${service}-${replica}`, labels: { 'kubernetes.io/service-name': service } },
        addressType: 'IPv4',
        ports: [{ name: 'http', port, protocol: 'TCP' }],
        endpoints: [{ addresses: [ADDRESS], conditions: { ready, serving: ready || terminating, terminating } }],
      },
      { namespace },
    );
  };
}
