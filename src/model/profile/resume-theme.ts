/** How the resume PDF can look. */
export const themes = ['classic', 'modern', 'compact', 'latex', 'sidebar'] as const;
export type Theme = (typeof themes)[number];
