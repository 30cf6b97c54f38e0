export * from '../../packages/resume-profile/test/viewed-profile.ts';
