import type { Provider } from '../provider/provider';
import type { ResponseHeaders } from '../failures/read-retry-after';
import type { NativeAccess } from '../settings/native-provider';
import type { GatewayError } from '@weir/errors';

type MediaService = Pick<Provider, 'id' | 'images' | 'speech' | 'transcription'> &
  Required<Pick<Provider, 'encodeProbe'>> & {
    /** The headers that carry the key. */
    readonly signRequest: (apiKey: string) => Record<string, string>;
    readonly readError: (
      status: number,
      headers: ResponseHeaders,
      reported: { readonly text: string; readonly secrets: readonly string[] },
    ) => GatewayError;
  };

const LANES = [
  ['images', 'image'],
  ['speech', 'speech'],
  ['transcription', 'transcription'],
] as const;

/** A provider of pictures or sound that has no chat. What was sent is charged whole, however early its caller leaves. */
export function createMediaProvider({ signRequest, readError, ...service }: MediaService, access: NativeAccess): Provider {
  const credential = signRequest(access.apiKey);
  return {
    ...service,
    modalities: LANES.flatMap(([lane, modality]) => (service[lane] === undefined ? [] : [modality])),
    onCancel: 'drain',
    baseUrl: access.baseUrl,
    authorize: () => credential,
    transport: access.transport,
    express: null,
    codec: null,
    readError: (status, headers, text) => readError(status, headers, { text, secrets: [access.apiKey] }),
  };
}
