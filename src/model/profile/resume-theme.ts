/** The looks of the resume PDF. */
export const themes = ['classic', 'modern', 'compact', 'latex', 'sidebar'] as const;
export type Theme = (typeof themes)[number];
