import packageJson from '../package.json' with { type: 'json' };

/** The program's version, as the package has it. */
export const { version } = packageJson;
