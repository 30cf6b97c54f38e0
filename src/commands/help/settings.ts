import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { Settings } from '../../service/config/settings.ts';
import { inColour } from '../terminal.ts';

const names = ['PORT', 'HOST', 'BASE_URL', 'PROFILE', 'DATA_DIR', 'OWNER_EMAIL', 'SMTP_URL'] as const;

// The package has docs/ at its root, its program in dist/src/.
const root = new URL(import.meta.filename.endsWith('.ts') ? '../../../' : '../../../../', import.meta.url);

/** Adds to the help of the program the settings that most services need, and where all are documented. */
export const addSettingsTo = (program: Command): Command =>
  program.addHelpText('after', () => {
    const width = Math.max(...names.map(({ length }) => length));
    const path = fileURLToPath(new URL('docs/configuration.md', root));
    const fromHere = relative(process.cwd(), path);
    return [
      '',
      inColour('heading', 'Settings, in the environment or in a file named .env:'),
      ...names.map((name) => `  ${name.padEnd(width)}  ${Settings.shape[name].description}`),
      '',
      `All settings: ${fromHere.startsWith('..') ? path : fromHere}`,
    ].join('\n');
  });
