import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import { excerptOf } from '../../../model/contact.ts';
import { type Html, jsonForScript, type Site } from '../page.ts';
import { ogSize } from './og-image.ts';
import { addressesOf, headingOf, type PublicProfile } from './public-profile.ts';

const maxDescription = 300;

/**
 * Returns the head elements of the landing page for search engines, link previews and other programs; with `link`, for the page
 * at that address, which previews lead back to and search engines leave out.
 */
export function publicHead(profile: PublicProfile, site: Site, link?: string): Html {
  const { page_url: page } = addressesOf(site);
  const heading = toVisible(headingOf(profile));
  const description = toVisible(descriptionOf(profile));
  // The address changes with the text, because link previews cache pictures by their address.
  const version = createHash('sha256').update(JSON.stringify(profile)).digest('base64url').slice(0, 10);
  return html`<meta name="description" content="${description}">
${link === undefined ? html`<link rel="canonical" href="${page}">` : ''}
<meta property="og:type" content="profile">
<meta property="og:title" content="${heading}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${link ?? page}">
<meta property="og:image" content="${site.baseUrl}/og.png?v=${version}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${ogSize.width}">
<meta property="og:image:height" content="${ogSize.height}">
<meta property="og:image:alt" content="${[heading, ...(profile.title === undefined ? [] : [toVisible(profile.title)])].join(', ')}">
<meta name="twitter:card" content="summary_large_image">
${profile.name === undefined ? '' : html`<script type="application/ld+json">${jsonForScript(profilePageOf(profile, page))}</script>`}`;
}

function descriptionOf({ title, summary }: PublicProfile): string {
  const about = 'A professional profile to read, to print and to hand to an agent.';
  return excerptOf(summary ?? (title === undefined ? about : `${title}. ${about}`), maxDescription - 1);
}

/** The public part as a schema.org ProfilePage about a Person, which has no property for years of experience. */
const profilePageOf = ({ name, title, summary, location, domains }: PublicProfile, url: string) => ({
  '@context': 'https://schema.org',
  '@type': 'ProfilePage',
  url,
  mainEntity: {
    '@type': 'Person',
    name: toVisible(name!),
    url,
    ...(title !== undefined && { jobTitle: toVisible(title) }),
    ...(summary !== undefined && { description: toVisible(summary) }),
    ...(location !== undefined && { homeLocation: { '@type': 'Place', name: toVisible(location) } }),
    ...(domains !== undefined && { knowsAbout: domains.map(toVisible) }),
  },
});
