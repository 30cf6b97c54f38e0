import { type Command, Option } from 'commander';
import { type Config, StartFault } from '../../service/config/config.ts';
import { addProfileArgumentTo } from '../check.ts';
import type { Io } from '../terminal.ts';

const options = [
  { name: 'port', setting: 'PORT', flags: '--port <number>', text: 'port to listen on; 0 takes a free one' },
  { name: 'host', setting: 'HOST', flags: '--host <address>', text: 'address to listen on' },
  { name: 'profile', setting: 'PROFILE', flags: '--profile <file>', text: 'profile document to serve' },
  { name: 'data', setting: 'DATA_DIR', flags: '--data <folder>', text: 'folder of the database, keys and mail files' },
] as const;

export function addServeTo(program: Command, io: Io): void {
  const command = addProfileArgumentTo(program.command('serve')).description('serve the profile over REST and MCP');
  for (const { flags, text, setting } of options) command.addOption(new Option(flags, text).env(setting));
  command.action(async (file: string | undefined) => {
    if (file !== undefined) {
      if (command.getOptionValueSource('profile') === 'cli')
        command.error('error: name the profile once: as FILE or with --profile');
      command.setOptionValueWithSource('profile', file, 'cli');
    }
    const typed = options.filter(({ name }) => command.getOptionValueSource(name) === 'cli');
    const env = { ...io.env };
    for (const { name, setting } of typed)
      env[setting] = command.opts()[name] || command.error(`error: --${name} must not be empty`);
    let config: Config | undefined;
    try {
      config = io.configOf(env);
      const { serve } = await import('./run.ts');
      await serve(config, io);
    } catch (error) {
      if (!(error instanceof StartFault)) throw error;
      const faults = error.message.split('\n').map((fault) => {
        const option = typed.find(({ setting }) => fault.startsWith(`${setting}: `));
        if (option?.name === 'profile' && file !== undefined) return fault.slice('PROFILE: '.length);
        return option === undefined ? fault : `--${option.name}${fault.slice(option.setting.length)}`;
      });
      const message = faults.join('\n');
      // A value that no setting may have is wrong usage; a busy port is not.
      if (config === undefined && message !== error.message) command.error(message);
      throw new StartFault(message);
    }
  });
}
