export * from '../../packages/resume-profile/test/random.ts';
