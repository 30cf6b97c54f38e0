/**
 * Imports a package that has its code compiled for each platform in an optional dependency. Rejects with what to do if that is not
 * installed.
 */
export async function importNative<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const platform = `${process.platform}-${process.arch}`;
    const remedy = 'install the packages again with npm ci, or npm install, and leave out no optional dependencies';
    throw new Error(`${name} has no code for ${platform}; ${remedy}`, { cause });
  }
}
