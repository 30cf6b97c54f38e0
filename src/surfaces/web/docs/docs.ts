import type { Hono } from 'hono';
import { namesOf } from '../../../operations/offered.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/ports.ts';
import type { Connection } from '../../caller.ts';
import type { Examples } from '../../examples.ts';
import type { OpenApi } from '../../rest/openapi.ts';
import type { Html, Site } from '../page.ts';
import { headingOf, publicProfileOf } from '../public/public-profile.ts';
import { openPublicPage } from '../public-page.ts';
import { clientPage } from './client-page.ts';
import { framed } from './frame.ts';
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

const pages: readonly { path: string; title: string; body: (reference: Reference) => Html | Promise<Html> }[] = [
  { path: '/docs', title: 'Reference', body: referencePage },
  { path: '/docs/mcp', title: 'MCP', body: mcpPage },
  { path: '/docs/client', title: 'Typed client', body: clientPage },
];

/** Adds the reference, whose pages are the same for everybody; of the profile they show what is public, and which operations it offers. */
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
  for (const { path, title, body } of pages) {
    const respond = openPublicPage(
      site,
      () => `${heading()} ${namesOf(ports.offered())}`,
      async () => {
        const reference = await toReference();
        return framed({ title, path, heading: heading(), body: await body(reference) }, reference);
      },
    );
    http.get(path, ({ req }) => respond(req.raw));
  }
}
