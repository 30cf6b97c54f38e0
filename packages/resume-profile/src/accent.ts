/** The colour of links, buttons and data, unless the profile has one of its own. */
export const defaultAccent = '#0b5d6b';

/** Red, green and blue, 0 to 1. */
type Rgb = readonly number[];

// The panels: text on them has less contrast than on the page.
const lightGround = toRgb('#f4f2ec');
const darkGround = toRgb('#1e2124');
/** WCAG 2.2, 1.4.3. */
const leastContrast = 4.5;

/** Returns the accent for the light and the dark scheme, changed until text in it has a contrast of 4.5:1. */
export function accentsOf(accent: string): { readonly light: string; readonly dark: string } {
  const colour = toRgb(accent);
  const lightness = lightnessOf(colour);
  return {
    light: firstReadable((value) => withLightness(colour, value), lightness, -0.02, lightGround),
    // Less saturated, because a bright colour glares on a dark ground.
    dark: firstReadable((value) => withLightness(colour, value, 0.63), Math.max(lightness, 0.62), 0.02, darkGround),
  };
}

/** Returns the least contrast that text in a colour has on light pages, 1 to 21. */
export const contrastOnLight = (colour: string): number => contrastOf(toRgb(colour), lightGround);

function firstReadable(colourAt: (lightness: number) => Rgb, from: number, step: number, ground: Rgb): string {
  for (let lightness = from; lightness > 0 && lightness < 1; lightness += step) {
    const colour = colourAt(lightness);
    const parts = colour.map((part) => Math.round(part * 255).toString(16));
    if (contrastOf(colour, ground) >= leastContrast) return `#${parts.map((part) => part.padStart(2, '0')).join('')}`;
  }
  return step < 0 ? '#000000' : '#ffffff';
}

function toRgb(hex: string): Rgb {
  return [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255);
}

/** Lightness, 0 to 1, of HSL (CSS Color 4). */
const lightnessOf = (colour: Rgb): number => (Math.max(...colour) + Math.min(...colour)) / 2;

/** Returns a colour of the same hue with another lightness, and its saturation times a factor, in HSL. */
function withLightness(colour: Rgb, lightness: number, factor = 1): Rgb {
  const own = lightnessOf(colour);
  const rangeAt = (value: number) => Math.min(value, 1 - value);
  // The distance of a channel from the lightness is proportional to the saturation and to the room on the nearer side.
  const scale = rangeAt(own) === 0 ? 0 : (factor * rangeAt(lightness)) / rangeAt(own);
  return colour.map((part) => lightness + (part - own) * scale);
}

/** The contrast ratio of two colours, 1 to 21 (WCAG 2.2, contrast ratio). */
function contrastOf(one: Rgb, other: Rgb): number {
  const luminances = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

/** Relative luminance (WCAG 2.2). */
function luminanceOf(colour: Rgb): number {
  const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => sum + weight * linear(colour[index]!), 0);
}
