// This library holds the error catalogue, the one error class and the envelopes in which callers receive errors.
export { isAccountRefusal, isErrorCode, getErrorRow, typeForClients, ERROR_CATALOGUE, type ErrorCode } from './error-catalogue';
export { toGatewayError, type GatewayErrorDetails, type RefusingLimit, type ScimErrorType, GatewayError } from './gateway-error';
export { invariant } from './invariant';
export { encodeError, explainInWords, gatewayErrorBody, SCIM_MEDIA_TYPE, type EnvelopeDialect } from './envelopes/encode-error';
