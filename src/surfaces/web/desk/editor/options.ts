/** The words of values, if they are not the values themselves. */
const options: Readonly<Record<string, string>> = {
  pdf: 'PDF',
  docx: 'Word',
  a4: 'A4',
  'us-letter': 'US Letter',
  latex: 'LaTeX',
  noto: 'Noto Sans',
  libertinus: 'Libertinus Serif',
  'computer-modern': 'New Computer Modern',
  'source-sans': 'Source Sans, headings in Source Serif',
  'source-serif': 'Source Serif, headings in Source Sans',
  plex: 'IBM Plex Serif, headings in IBM Plex Sans',
  garamond: 'EB Garamond, headings in Source Sans',
  roboto: 'Roboto, headings in Roboto Slab',
  numbered: 'Numbered',
  by_year: 'Below their years',
  latest_first: 'The latest first',
  as_written: 'As under Work, Move or remove',
  id: 'Your id',
  years_experience: 'Years of experience',
  domains: 'Areas of expertise',
  volunteer: 'Volunteering',
  counts: 'How many jobs and projects there are',
  email: 'E-mail address',
};

/** Returns the words of a value that one can choose. */
export const optionOf = (value: string): string =>
  options[value] ?? value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ');
