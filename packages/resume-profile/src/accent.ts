/** The colour of links, buttons and data, unless the profile has one of its own. */
export const defaultAccent = '#0b5d6b';

/** Red, green and blue, 0 to 1. */
type Rgb = readonly [number, number, number];

// The panels: text on them has less contrast than on the page.
const lightGround = toRgb('#f4f2ec');
const darkGround = toRgb('#1e2124');
/** WCAG 2.2, 1.4.3. */
const leastContrast = 4.5;

/** Returns the accent for the light and the dark scheme, changed until text in it has a contrast of 4.5:1. */
export function accentsOf(accent: string): { readonly light: string; readonly dark: string } {
  const { hue, saturation, lightness } = toHsl(toRgb(accent));
  const inLight = (value: number) => fromHsl(hue, saturation, value);
  // Less saturated, because a bright colour glares on a dark ground.
  const inDark = (value: number) => fromHsl(hue, saturation * 0.63, value);
  return {
    light: firstReadable(inLight, lightness, -0.02, lightGround),
    dark: firstReadable(inDark, Math.max(lightness, 0.62), 0.02, darkGround),
  };
}

/** Returns the least contrast that text in a colour has on light pages, 1 to 21. */
export const contrastOnLight = (colour: string): number => contrastOf(toRgb(colour), lightGround);

function firstReadable(colourAt: (lightness: number) => Rgb, from: number, step: number, ground: Rgb): string {
  for (let lightness = from; lightness > 0 && lightness < 1; lightness += step) {
    const colour = colourAt(lightness);
    if (contrastOf(colour, ground) >= leastContrast) return toHex(colour);
  }
  return step < 0 ? '#000000' : '#ffffff';
}

function toRgb(hex: string): Rgb {
  const part = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16) / 255;
  return [part(1), part(3), part(5)];
}

const toHex = (colour: Rgb): string =>
  `#${colour
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** Hue in degrees, saturation and lightness 0 to 1 (CSS Color 4, converting sRGB to HSL). */
function toHsl([red, green, blue]: Rgb) {
  const max = Math.max(red, green, blue);
  const range = max - Math.min(red, green, blue);
  const lightness = max - range / 2;
  const saturation = range === 0 ? 0 : (max - lightness) / Math.min(lightness, 1 - lightness);
  if (range === 0) return { hue: 0, saturation, lightness };
  const sector =
    max === red ? (green - blue) / range + 6 : max === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return { hue: (sector * 60) % 360, saturation, lightness };
}

/** CSS Color 4, converting HSL to sRGB. */
function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  const spread = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    return lightness - spread * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [part(0), part(8), part(4)];
}

/** The contrast ratio of two colours, 1 to 21 (WCAG 2.2, contrast ratio). */
function contrastOf(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance (WCAG 2.2). */
function luminanceOf(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
