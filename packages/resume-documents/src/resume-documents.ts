export { toDocx } from './docx/resume.ts';
export { toHtml } from './html.ts';
export { type Letter, readLetter } from './letter.ts';
export { toMarkdown } from './markdown.ts';
export { openResumeRenderer, type PdfStyle, type RenderedResume } from './pdf/resume-pdf.ts';
export { toPlainText } from './plain-text.ts';
export { toVcard } from './vcard.ts';
