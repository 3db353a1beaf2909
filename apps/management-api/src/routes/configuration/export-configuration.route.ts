import { writeDocument, writeDocumentText } from '@weir/configuration';
import { configurationExportParameters } from '@weir/contracts';
import { parseBody } from '../../bodies/parse-body';
import { readCurrent } from '../../configuration/current/read-current';
import { createDigest } from '../../configuration/wish';
import { defineRoute, noBody, ok } from '../../route/route';

/** What the organization has, as a document that would change nothing of it. Secrets are left out: it says where to put them. */
export const exportConfiguration = defineRoute({
  id: 'export-configuration',
  body: noBody,
  run: async ({ organizationId, query }, parts) => {
    const { format, name } = parseBody(configurationExportParameters, query);
    const { objects } = await parts.database
      .asOrganization(organizationId)
      .transact((tx) => readCurrent({ tx, organizationId, parts, digest: createDigest() }));
    const document = writeDocument(objects, name);
    if (format === 'json') return ok(document);
    return {
      status: 200,
      headers: { 'content-type': 'application/yaml; charset=utf-8' },
      stream: { chunks: oneChunk(writeDocumentText(document)), close: () => Promise.resolve() },
    };
  },
});

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text);
}
