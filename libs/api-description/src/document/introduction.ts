/** What holds for all operations, as the document’s own description. */
export const INTRODUCTION = `A model gateway with exact metering: three dialects of chat, embeddings, images and audio behind one address, and a management interface.

**Keys** go as \`Authorization: Bearer …\` or \`x-api-key: …\`, on every endpoint. No credential is 401; one that is unknown, expired or revoked is 403 (401 on \`/v1/auth/check\`), the same body for all of these. A key’s \`manage\` permission (\`none\`, \`read\`, \`write\`) opens \`/v1/manage\`; \`completions: read\` opens model lists, \`write\` inference; \`contents: read\` opens what an organization keeps of requests.

**Models** are \`<vendor>/<model>\`, some with a region (\`…@eu-central-1\`); \`policy/<name>\` and aliases of the organization are chat models too.

**Cost** is in \`usage.cost\` of every reply, in USD, printed from an exact decimal: in whole replies, in \`response.completed\`, in \`message_delta\`, and in the last chunk of chat streams that set \`stream_options.include_usage\`. Usage reports and the ledger count the same number. A request belongs to the UTC period in which it was admitted.

**Errors** say in \`error.origin\` whether the gateway (\`router\`) or the provider speaks, and carry a stable \`error.code\`, in the word that clients act on where there is one (\`context_length_exceeded\`), and its class \`error.type\`; \`x-error-codes\` lists them. \`/v1/messages\` and the access lists have envelopes of their own. A monthly limit is 412, an exhausted balance 402: \`x-should-retry: false\` keeps SDKs from trying again. After a stream has begun, an error is the dialect’s own event, and the stream ends.

**Streams** are kept open by comments (lines that begin with a colon). A comment before the end, \`: x-weir-dropped: …\`, names the parts of the reply that the caller’s dialect has no word for.

**Metadata** for usage reports: \`X-Title\`, \`X-Weir-<Name>\` and the body’s \`weir\` object, none of which reaches a provider; \`weir\` also says what the gateway is to do (\`cache\`, \`data_policy\`, \`auto_cache\`). The dialects’ own \`user\`, \`safety_identifier\` and \`metadata.user_id\` name the end user.

**Management** refuses what it does not know: an unknown field is a 400 that names it. A list returns everything unless \`limit\` or \`cursor\` is given. Responses are compressed for requests with \`Accept-Encoding: gzip\`. When two callers change the same thing at once, the later change counts; the audit log has both.

**Addresses** are case-sensitive. A method that a path does not take is 405 with \`Allow\`; \`HEAD\` is \`GET\` without the body; \`OPTIONS\` is 204 with \`Allow\` and no more: keys are secrets and belong into no page, so pages of other origins are let in nowhere (no CORS).

**Where services run apart**, \`/v1/manage\` and everything else have addresses of their own; each serves this whole document.`;
