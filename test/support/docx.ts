export * from '../../packages/resume-documents/test/docx.ts';
