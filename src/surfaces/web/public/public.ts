import type { Hono } from 'hono';
import type { Profile } from '../../../model/profile/profile-document.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { Connection } from '../../caller.ts';
import { type Document, documentResponse, publicHandler } from '../../rest/documents.ts';
import { defaultAccent } from '../accent.ts';
import type { Site } from '../page.ts';
import { addressesOf, indexOf, robotsOf } from './addresses.ts';
import { faviconOf } from './favicon.ts';
import { llmsOf } from './llms.ts';
import { openOgImage, type SvgRenderer } from './og-image.ts';
import { publicProfileOf } from './public-profile.ts';
import { qrCodeOf } from './qr-code.ts';

interface Options {
  readonly site: Site;
  profile(): Profile;
  /** Returns the operations that visitors can call at the moment. */
  offered(): readonly Operation[];
  openSvgRenderer(): Promise<SvgRenderer>;
}

/** Routes the documents that anybody may read. The index is what the first path answers unless a page was routed before. */
export function addPublicTo(
  http: Hono<{ Bindings: Connection }>,
  { site, profile, offered, openSvgRenderer }: Options,
): void {
  const published = () => publicProfileOf(profile());
  const accent = () => profile().accent ?? defaultAccent;
  const ogImage = openOgImage(openSvgRenderer);
  const { page_url: address } = addressesOf(site);
  const index = indexOf(site);
  const robots = robotsOf(site);
  const qrCode = qrCodeOf(address);
  const documents: Record<string, () => Document | Promise<Document>> = {
    '/': () => index,
    '/llms.txt': () => llmsOf(published(), offered(), site),
    '/robots.txt': () => robots,
    '/favicon.svg': () => faviconOf(published(), accent()),
    '/og.png': () => ogImage(published(), { accent: accent(), address }),
    '/qr.svg': () => qrCode,
  };
  for (const [path, documentOf] of Object.entries(documents)) {
    const respond = publicHandler(async (request) => documentResponse(await documentOf(), request));
    http.all(path, ({ req, env }) => respond(req.raw, env));
  }
}
