import type { Hono } from 'hono';
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
export interface DocsPorts extends Pick<Reference, 'operations' | 'mutations' | 'limits' | 'version'> {
  /** Services over the sample profile, which store nothing. */
  sample(): Services;
  examples(): Promise<Examples>;
  /** Returns the OpenAPI document that is served. */
  openApi(): Promise<OpenApi>;
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

/** Adds the reference, whose pages are the same for everybody; of the profile they show what is public. */
export function addDocsTo(http: Hono<{ Bindings: Connection }>, { site, services, ...ports }: Options): void {
  const toReference = async (): Promise<Reference> => {
    const { operations, mutations, limits, version } = ports;
    const examples = await ports.examples();
    const document = await ports.openApi();
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
    const respond = openPublicPage(site, heading, async () => {
      const reference = await toReference();
      return framed({ title, path, heading: heading(), body: await body(reference) }, reference);
    });
    http.get(path, ({ req }) => respond(req.raw));
  }
}
