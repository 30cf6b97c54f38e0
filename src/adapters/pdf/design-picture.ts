import { crc32, deflateSync } from 'node:zlib';
import type { Profile } from 'resume-profile/profile-document';
import type { PicturedDesign } from 'resume-profile/resume-design';
import { BoundedMap } from '../../model/bounded-map.ts';
import { hash } from '../node-crypto.ts';
import { openQueue } from '../queue.ts';
import { openSvgRenderer } from '../svg-renderer.ts';
import type { Printer, Prints } from './printer.ts';

/** Enough for several profiles: each has fewer than twenty pictures, of some 4 KB. */
const maxPictures = 100;

/** Keeps the latest pictures; each is printed at its first request, one at a time. */
export function openDesignPictures(print: Printer['picture']) {
  const printed = new BoundedMap<string, Promise<Prints['picture'] | null>>(maxPictures);
  const enqueue = openQueue();
  /** Returns a PNG of 240 by 180 pixels; null if the resume cannot be printed in the design. */
  return (profile: Profile, design: PicturedDesign): Promise<Prints['picture'] | null> => {
    const drawn = { ...profile, resume: { ...profile.resume, ...design } };
    // The key is the drawn data: after a theme is chosen, the pictures of all themes stay the same.
    const key = hash(JSON.stringify({ ...drawn, resume: Object.entries(drawn.resume).sort() }));
    const picture =
      printed.get(key) ??
      enqueue(() => print(drawn)).catch(() => {
        printed.delete(key); // so that the next call tries again: the machine may only have been busy
        return null;
      });
    printed.set(key, picture);
    return picture;
  };
}

const [width, height] = [240, 180];

/** Draws the upper part of the first page of a document that Typst has converted to SVG, as a PNG of some 4 KB. */
export async function toDesignPicture(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const { toPixels } = await openSvgRenderer();
  return toPng(toPixels(toFirstPage(svg)), { width, height, maxColours: 8 });
}

/** The backgrounds of the pages in Typst's SVG, which has all pages below each other, each after its background. */
export const pageBackgrounds = /^ {4}<path class="typst-shape" .*>\n/gm;

/** Removes the other pages from Typst's SVG, because resvg reads all of it even to draw a part. */
export function cutToPage(svg: string, index: number): string {
  const starts = [...svg.matchAll(pageBackgrounds)].map((background) => background.index);
  const shared = svg.search(/^ {4}<defs /m);
  if (starts.length < 2 || shared === -1) return svg;
  return svg.slice(0, starts[0]) + svg.slice(starts[index], starts[index + 1] ?? shared) + svg.slice(shared);
}

function toFirstPage(svg: string): string {
  return cutToPage(svg, 0).replace(
    /viewBox="0 0 ([\d.]+) [\d.]+" width="[^"]+" height="[^"]+"/,
    (_, points) => `viewBox="0 0 ${points} ${(Number(points) * height) / width}" width="${width}" height="${height}"`,
  );
}

/**
 * Writes a PNG with a palette of at most 16 colours (ISO 15948), because resvg's full-colour PNG is four times as large. The
 * width must be even.
 */
export function toPng(
  pixels: Uint8Array,
  { width, height, maxColours }: Readonly<Record<'width' | 'height' | 'maxColours', number>>,
): Uint8Array<ArrayBuffer> {
  const toColour = (at: number) => ((pixels[at]! >> 3) << 10) | ((pixels[at + 1]! >> 3) << 5) | (pixels[at + 2]! >> 3);
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 4) counts.set(toColour(at), (counts.get(toColour(at)) ?? 0) + 1);
  const palette = paletteOf(counts, maxColours);
  const indices = new Map([...counts.keys()].map((colour) => [colour, nearestTo(channelsOf(colour), palette)]));
  // Two pixels a byte; each line begins with its filter, none.
  const stride = width / 2 + 1;
  const lines = Buffer.alloc(stride * height);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = Math.floor(pixel / width) * stride + 1 + Math.floor((pixel % width) / 2);
    lines[at]! |= indices.get(toColour(4 * pixel))! << (pixel % 2 === 0 ? 4 : 0);
  }
  // Four bits a pixel, which are an index of the palette.
  const head = Buffer.concat([uint32(width), uint32(height), Buffer.from([4, 3, 0, 0, 0])]);
  const chunks = { IHDR: head, PLTE: Buffer.from(palette.flat()), IDAT: deflateSync(lines, { level: 9 }), IEND: [] };
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return new Uint8Array(Buffer.concat([signature, ...Object.entries(chunks).map(toChunk)]));
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function toChunk([type, data]: [string, Uint8Array | number[]]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data)]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** Returns red, green and blue, 0 to 255, for a colour with five bits each. */
const channelsOf = (colour: number): number[] =>
  [colour >> 10, (colour >> 5) & 31, colour & 31].map((channel) => Math.round((channel * 255) / 31));

/** Picks frequent colours that are far from earlier ones, so that a heading keeps its colour. */
function paletteOf(counts: ReadonlyMap<number, number>, maxColours: number): number[][] {
  const farthest = 3 * 255 ** 2;
  const colours = [...counts].map(([colour, count]) => ({ channels: channelsOf(colour), count, distance: farthest }));
  const palette: number[][] = [];
  while (palette.length < Math.min(maxColours, colours.length)) {
    const [first, ...rest] = colours;
    const weightOf = ({ count, distance }: (typeof colours)[number]) => count * distance;
    const { channels } = rest.reduce((best, one) => (weightOf(one) > weightOf(best) ? one : best), first!);
    palette.push(channels);
    for (const one of colours) one.distance = Math.min(one.distance, distanceOf(one.channels, channels));
  }
  return palette;
}

const distanceOf = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, channel, index) => sum + (channel - other[index]!) ** 2, 0);

function nearestTo(colour: readonly number[], palette: readonly (readonly number[])[]): number {
  const distances = palette.map((one) => distanceOf(one, colour));
  return distances.indexOf(Math.min(...distances));
}
