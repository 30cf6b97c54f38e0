import { z } from 'zod';

/** The looks of the resume PDF. */
export const themes = ['classic', 'modern', 'compact', 'latex', 'sidebar'] as const;
export type Theme = (typeof themes)[number];

export const papers = ['a4', 'us-letter'] as const;

/** Pairs of font families: for the text, and for the name and the titles of sections. */
export const fonts = {
  noto: ['Noto Sans', 'Noto Sans'],
  libertinus: ['Libertinus Serif', 'Libertinus Serif'],
  'computer-modern': ['New Computer Modern', 'New Computer Modern'],
  'source-sans': ['Source Sans 3', 'Source Serif 4'],
  'source-serif': ['Source Serif 4', 'Source Sans 3'],
  plex: ['IBM Plex Serif', 'IBM Plex Sans'],
  garamond: ['EB Garamond', 'Source Sans 3'],
  roboto: ['Roboto', 'Roboto Slab'],
} as const satisfies Record<string, readonly [text: string, headings: string]>;

const fontNames = Object.keys(fonts) as (keyof typeof fonts)[];

const margins = ['narrow', 'normal', 'wide'] as const;

export const Colour = z
  .string('must be a string')
  .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as "#0b5d6b", in quotes');

/** A field that names one of some words. */
export const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names, description: string) =>
  z.enum(names).optional().describe(description);

const size = 'must be a number of points from 9 to 12';
const pages = 'must be a number of pages from 1 to 9';

/** The fields of `resume` that describe the look of the PDF. */
export const designShape = {
  theme: oneOf(themes, 'How the PDF looks, in place of PDF_THEME and PDF_TEMPLATE'),
  paper: oneOf(papers, 'Its paper, in place of PDF_PAPER'),
  font: oneOf(fontNames as [keyof typeof fonts], 'Its faces; those of the theme unless it is given'),
  size: z
    .number(size)
    .min(9, size)
    .max(12, size)
    .optional()
    .describe('The size of its text in points, 9 to 12; that of the theme unless it is given'),
  margins: oneOf(margins, 'Its margins, normal being those of the theme'),
  accent: Colour.optional().describe(
    'Its colour, such as "#0b5d6b", darkened if it is hard to read; that of the pages unless it is given',
  ),
  pages: z
    .int(pages)
    .min(1, pages)
    .max(9, pages)
    .optional()
    .describe('How many pages it may have: it is set smaller and tighter until it fits, but not below 9 points'),
};

/** The fields of the design that are chosen by pictures. */
export const PicturedDesign = z.strictObject(designShape).pick({ theme: true, paper: true, font: true, margins: true });
export type PicturedDesign = z.infer<typeof PicturedDesign>;
