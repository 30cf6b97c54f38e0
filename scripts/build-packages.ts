import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle/code.ts';
import { copyFonts } from './bundle/program.ts';

// Builds the three packages into dist/packages, a folder each, as they are published: `npm pack ./dist/packages/NAME`.

const folder = join(root, 'dist/packages');
rmSync(folder, { recursive: true, force: true });
const { status } = spawnSync('tsc', ['-p', 'tsconfig.packages.json'], { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(1);

for (const name of ['resume-profile', 'resume-import', 'resume-documents']) {
  const source = join(root, 'packages', name);
  const { bin, ...manifest } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const published = {
    ...manifest,
    ...(bin && { bin: { [name]: `./bin/${name}.js` } }),
    exports: {
      '.': { types: `./src/${name}.d.ts`, default: `./src/${name}.js` },
      './*': { types: './src/*.d.ts', default: './src/*.js' },
    },
  };
  writeFileSync(join(folder, name, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  for (const path of globSync(['README.md', 'src/**/*.{typ,conf}'], { cwd: source }))
    cpSync(join(source, path), join(folder, name, path));
  cpSync(join(root, 'LICENSE'), join(folder, name, 'LICENSE'));
}
cpSync(join(root, 'profile.schema.json'), join(folder, 'resume-profile/profile.schema.json'));
copyFonts(join(folder, 'resume-documents/src/fonts'));
