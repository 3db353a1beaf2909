// This library is the provider without a network: an upstream transport that serves every call in the process.
export { createSandboxTransport } from './create-sandbox-transport';
