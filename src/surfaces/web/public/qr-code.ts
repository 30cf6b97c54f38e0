import { html } from 'hono/html';
import { encode } from 'uqr';
import { type Document, documentOf } from '../../rest/documents.ts';

/** `/qr.svg`: the QR code of an address, with the quiet zone of 4 modules that readers need (ISO/IEC 18004). */
export function qrCodeOf(address: string): Document {
  const { size, data } = encode(address, { ecc: 'M', border: 4 });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  );
  // Black on white in the dark scheme, too: many readers do not take the reverse.
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 8}" height="${size * 8}" role="img" aria-labelledby="title" shape-rendering="crispEdges">
<title id="title">QR code of ${address}</title>
<path fill="#fff" d="M0 0h${size}v${size}H0z"/>
<path d="${runs.join('')}"/>
</svg>
`;
  return documentOf('image/svg+xml', String(svg));
}
