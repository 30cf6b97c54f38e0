import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { version } from '../src/version.ts';
import { bundleFiles } from './bundle/files.ts';

// Makes a bundle (.mcpb) of the bridge to a service, in this folder or in the one that is named. `mcpb pack` would store the time of
// packing; the same sources must give the same bytes, so that anybody can check a published bundle. `npm run bundle [-- FOLDER]`

const path = join(process.argv[2] ?? '.', `candidate-profile-${version}.mcpb`);
const files = Object.entries(await bundleFiles()).sort(([a], [b]) => (a < b ? -1 : 1));
// The first time that a ZIP can store. It is stored as local time, and read as it was written.
const mtime = new Date(1980, 0, 1);
const archive = zipSync(Object.fromEntries(files.map(([name, text]) => [name, strToU8(text)])), { level: 9, mtime });
writeFileSync(path, archive);
console.log(`${path} (${Math.ceil(archive.length / 1024)} KB)`);
