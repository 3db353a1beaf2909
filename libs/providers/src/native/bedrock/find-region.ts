import type { Attempt } from '@weir/contracts';

/** A region of the service, as it stands in its addresses. */
const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/;
const IN_ARN = /^arn:[^:]*:bedrock:([^:]+):/;
/** Inference profiles carry the area they may run in before the maker's name, and are called from a region within it. */
const AREA_OF_MODEL = /^(us-gov|us|eu|apac|au|jp|ca)\./;

/** Which regions belong to an area, and the one to call when the gateway's own does not. */
const AREAS: Readonly<Record<string, { readonly within: RegExp; readonly main: string }>> = {
  us: { within: /^us-(?!gov)/, main: 'us-east-1' },
  'us-gov': { within: /^us-gov-/, main: 'us-gov-west-1' },
  eu: { within: /^eu-/, main: 'eu-central-1' },
  apac: { within: /^ap-/, main: 'ap-northeast-1' },
  ap: { within: /^ap-/, main: 'ap-northeast-1' },
  au: { within: /^ap-southeast-[24]$/, main: 'ap-southeast-2' },
  jp: { within: /^ap-northeast-[13]$/, main: 'ap-northeast-1' },
  ca: { within: /^ca-/, main: 'ca-central-1' },
  sa: { within: /^sa-/, main: 'sa-east-1' },
};

/** Where an attempt is sent: the region it is bound to, else one its model may be called from, else the gateway's own. */
export function findRegion({ region, upstreamModel }: Pick<Attempt, 'region' | 'upstreamModel'>, ownRegion: string): string {
  const bound = region?.toLowerCase();
  if (bound !== undefined && REGION.test(bound)) return bound;
  const named = IN_ARN.exec(upstreamModel)?.[1];
  if (named !== undefined) return named;
  const area = AREAS[bound ?? ''] ?? AREAS[AREA_OF_MODEL.exec(upstreamModel)?.[1] ?? ''];
  return area === undefined || area.within.test(ownRegion) ? ownRegion : area.main;
}
