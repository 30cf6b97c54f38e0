import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { importNative } from 'resume-documents/native-code';

// TrueType, because resvg reads no woff2, and then silently draws no text. Noto Sans has letters that the others lack.
function fontFiles(): string[] {
  const { resolve } = createRequire(import.meta.url);
  return [
    resolve('@expo-google-fonts/source-serif-4/400Regular/SourceSerif4_400Regular.ttf'),
    resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf'),
    join(dirname(resolve('@embedpdf/fonts-latin')), '../fonts/NotoSans-Regular.ttf'),
  ];
}

/** Loads resvg. Rejects with what to do if it is not installed for this platform. */
export const loadResvg = () => importNative('@resvg/resvg-js', () => import('@resvg/resvg-js'));

/** Draws our SVG documents with the fonts of the pages. resvg would read the file of an `image` from elsewhere. */
export async function openSvgRenderer() {
  const { Resvg, renderAsync } = await loadResvg();
  // The machine's fonts would take 300 ms to load, and change the picture from machine to machine.
  const options = { font: { loadSystemFonts: false, fontFiles: fontFiles() } };
  return {
    /** Draws a document in its own size, off the event loop. */
    toPng: async (svg: string): Promise<Uint8Array<ArrayBuffer>> =>
      new Uint8Array((await renderAsync(svg, options)).asPng()),
    /** Returns the width in pixels of the visible content of a document; 0 if there is none. */
    widthOf: (svg: string): number => new Resvg(svg, options).getBBox()?.width ?? 0,
    toOutlines: (svg: string): string => new Resvg(svg, options).toString(),
  };
}
