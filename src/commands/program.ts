import { Command } from 'commander';
import { toVisible } from '../model/visible-text.ts';
import type { Config } from '../service/config/config.ts';
import { programName } from '../service/program-name.ts';
import { version } from '../version.ts';
import { addBackupTo } from './backup.ts';
import { addCallTo } from './call.ts';
import { addCheckTo } from './check.ts';
import { addContactsTo } from './contacts.ts';
import { addDeskTo } from './desk.ts';
import { addDoctorTo } from './doctor/doctor.ts';
import { addExportTo } from './export.ts';
import { addExamplesTo } from './help/examples.ts';
import { addHelpTo } from './help/help.ts';
import { addSettingsTo } from './help/settings.ts';
import { addImportTo } from './import.ts';
import { addInitTo } from './init/init.ts';
import { addKeysTo } from './keys.ts';
import { addMcpTo } from './mcp.ts';
import { addMigrateStoreTo } from './migrate-store.ts';
import { addOpenapiTo } from './openapi.ts';
import { addOutboxTo } from './outbox.ts';
import { addRestoreTo } from './restore.ts';
import { addServeTo } from './serve/serve.ts';
import { addNoColorTo, inColour } from './terminal.ts';
import { addTokensTo } from './tokens.ts';

// Each command imports what it needs in its action: most need little of what the service needs.
const commands = {
  'Serving:': [addServeTo, addMcpTo, addDoctorTo],
  'Your profile:': [addInitTo, addImportTo, addCheckTo, addExportTo],
  'Your visitors:': [addDeskTo, addContactsTo, addTokensTo, addOutboxTo],
  'Keys and data:': [addKeysTo, addBackupTo, addRestoreTo, addMigrateStoreTo],
  'For programs:': [addCallTo, addOpenapiTo],
  'Help:': [addHelpTo],
};

/** Returns the command line with all its commands. It throws instead of ending the process; `configOf` is called by the commands that need settings. */
export function createProgram(configOf: (env?: NodeJS.ProcessEnv) => Config): Command {
  const program = new Command(programName)
    .description('Your professional profile as a service that you own.')
    .version(version)
    .exitOverride()
    .configureHelp({ styleTitle: (title) => inColour('heading', title) })
    .configureOutput({
      outputError: (text, write) =>
        write(inColour('error', toVisible(text.replace(/^error: /, 'candidate-profile: ')), process.stderr)),
    });
  addNoColorTo(program);
  for (const [heading, additions] of Object.entries(commands)) {
    program.commandsGroup(heading);
    for (const addTo of additions) addTo(program, configOf);
  }
  addExamplesTo(program);
  return addSettingsTo(program);
}
