import type { Hono } from 'hono';
import { namesOf } from '../../../operations/offered.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/ports.ts';
import type { Connection } from '../../caller.ts';
import type { Examples } from '../../examples.ts';
import { type Document, documentOf, documentResponse, keepLatest } from '../../rest/documents.ts';
import type { OpenApi } from '../../rest/openapi.ts';
import { type Html, openPublicPage, type Site } from '../page.ts';
import { headingOf, publicProfileOf } from '../public/public-profile.ts';
import { clientFile } from './client-file.ts';
import { clientPage } from './client-page.ts';
import { type Framed, framed } from './frame.ts';
import { mcpPage } from './mcp-page.ts';
import type { Reference } from './reference.ts';
import { referencePage } from './reference-page.ts';

/** What the reference needs besides the service itself. */
export interface DocsPorts extends Pick<Reference, 'mutations' | 'limits' | 'version'> {
  /** Returns the operations that visitors can call at the moment. */
  offered(): readonly Operation[];
  /** Services over the sample profile, which store nothing. */
  sample(): Services;
  examples(): Promise<Examples>;
  /** Returns the OpenAPI document of operations. */
  openApi(operations: readonly Operation[]): Promise<OpenApi>;
  /** Reads the program that uses the typed client. */
  readClientExample(): string;
}

interface Options extends DocsPorts {
  readonly site: Site;
  readonly services: Pick<Services, 'edition' | 'reads'>;
}

interface DocsPage extends Pick<Framed, 'title' | 'path' | 'hasExamples'> {
  readonly body: (reference: Reference) => Html | Promise<Html>;
}

const pages: readonly DocsPage[] = [
  { path: '/docs', title: 'Reference', hasExamples: true, body: referencePage },
  { path: '/docs/mcp', title: 'MCP', hasExamples: true, body: mcpPage },
  { path: '/docs/client', title: 'TypeScript', hasExamples: false, body: clientPage },
];

/** Adds the reference, whose pages are the same for everybody; of the profile they show what is public, and which operations it offers; and the client. */
export function addDocsTo(http: Hono<{ Bindings: Connection }>, { site, services, ...ports }: Options): void {
  const toReference = async (): Promise<Reference> => {
    const { mutations, limits, version } = ports;
    const operations = ports.offered();
    const examples = await ports.examples();
    const document = await ports.openApi(operations);
    const clientExample = ports.readClientExample();
    return {
      site,
      operations,
      mutations,
      limits,
      version,
      examples,
      document,
      clientExample,
      sample: ports.sample(),
      isRecorded: services.reads.isOn,
    };
  };
  const heading = () => headingOf(publicProfileOf(services.edition().profile));
  for (const { body, ...page } of pages) {
    const respond = openPublicPage(
      site,
      () => `${heading()} ${namesOf(ports.offered())}`,
      async () => {
        const reference = await toReference();
        return framed({ ...page, heading: heading(), body: await body(reference) }, reference);
      },
    );
    http.get(page.path, ({ req }) => respond(req.raw));
  }
  const latestClient = keepLatest<Document>();
  http.get('/docs/client.ts', async ({ req }) => {
    const offered = ports.offered();
    const document = await latestClient(namesOf(offered), async () =>
      // Shown by browsers, which have no other type for it.
      documentOf('text/plain; charset=utf-8', clientFile(offered, await ports.openApi(offered), site.baseUrl)),
    );
    return documentResponse(document, req.raw);
  });
}
