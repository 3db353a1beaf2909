import type { UpstreamTransport } from '@weir/upstream-http';
import type { Provider } from '../provider/provider';
import type { ReadEnv } from './provider-settings';

/** What an installation adds to a native provider. */
export type NativeAccess = {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly transport: UpstreamTransport;
  /** False when the operator named an address: regions of the vendor's own service do not apply then. */
  readonly hasRegions: boolean;
};

/** One line of the address book. */
export type NativeProvider = KeyedProvider | AccountProvider;

type Listed = {
  readonly id: string;
  /** What its owner calls it; the id where none is given. */
  readonly name?: string;
  /** The folder in which the provider's interface is implemented. */
  readonly folder: string;
};

/** A key and an address are all there is to know. */
type KeyedProvider = Listed & {
  readonly baseUrl: string;
  /** Customary addresses leave the version of the API out. */
  readonly addsVersion?: boolean;
  /** Whose PROVIDER_<ID>_… variables count as well, after its own. */
  readonly sharesAccountOf?: string;
  /** Customary names of environment variables. */
  readonly env: { readonly apiKey: readonly string[]; readonly baseUrl: readonly string[] };
  readonly create: (access: NativeAccess) => Provider;
};

/** An account that is more than a key; `open` returns undefined where the environment names none. */
type AccountProvider = Listed & {
  readonly open: (env: ReadEnv, transport: UpstreamTransport) => Provider | undefined;
};
