export * from '../../packages/resume-documents/test/images.ts';
