/** The colour of what can be clicked, and of data, unless the profile has one of its own. */
export const defaultAccent = '#0b5d6b';

type Rgb = readonly [number, number, number];

const light = { paper: toRgb('#f4f2ec'), towards: toRgb('#000000') };
const dark = { paper: toRgb('#1e2124'), towards: toRgb('#ffffff') };
/** WCAG 2.2, 1.4.3. */
const leastContrast = 4.5;

/** Returns the accent for the light and the dark scheme, each darkened or lightened until text in it has a contrast of 4.5:1. */
export const accentsOf = (accent: string): { readonly light: string; readonly dark: string } => ({
  light: readable(toRgb(accent), light),
  // A step lighter: the same colour looks darker on a dark ground.
  dark: readable(mix(toRgb(accent), dark.towards, 0.4), dark),
});

function readable(colour: Rgb, { paper, towards }: typeof light): string {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(colour, towards, share);
    if (contrastOf(mixed, paper) >= leastContrast) return toHex(mixed);
  }
  return toHex(towards);
}

const mix = (one: Rgb, other: Rgb, share: number): Rgb =>
  [0, 1, 2].map((index) => Math.round(one[index]! * (1 - share) + other[index]! * share)) as unknown as Rgb;

function toRgb(hex: string): Rgb {
  return [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16)) as unknown as Rgb;
}

const toHex = (colour: Rgb): string => `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** The contrast ratio of two colours, 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance (WCAG 2.2). */
function luminanceOf(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
