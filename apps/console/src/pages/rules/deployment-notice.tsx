import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api';
import { Notice } from '../../design';
import type { DataSettings } from './data-rules-form';

type DeploymentNoticeProps = {
  readonly area: DataSettings['data_residency'];
  /** As it holds now: a request may not ask for another area than that. */
  readonly held: DataSettings['data_residency'];
};

/** Data that has to stay where this gateway does not stand is refused by the gateway itself, whatever the model: it says so of a request that asks for that area. */
export function DeploymentNotice({ area, held }: DeploymentNoticeProps) {
  const canAsk = area !== null && (held === null || held === area);
  const refusal = useQuery({
    queryKey: ['plans', 'area', area],
    enabled: canAsk,
    queryFn: async ({ signal }) => {
      const headers = { 'x-weir-data-policy': `residency=${area}` };
      const { data_rules: rules, refusal: found } = await unwrap(
        api.POST('/v1/plan', { body: { headers, body: { messages: [] } }, signal }),
      );
      return rules === null && found?.code === 'data_policy' ? found.message : null;
    },
  }).data;
  if (!canAsk || refusal === undefined || refusal === null) return null;
  return <Notice kind="bad">Every request would be refused here. {refusal}</Notice>;
}
