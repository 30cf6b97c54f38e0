import type { Command } from 'commander';
import { nearestName } from '../../model/nearest-name.ts';

/** Adds `help [command...]` to a command and to its subcommands that have subcommands. Unlike commander's own, it refuses an unknown name. */
export function addHelpTo(group: Command): void {
  for (const command of group.commands) if (command.commands.length > 0) addHelpTo(command);
  group
    .helpCommand(false)
    .command('help')
    .description('print the help of a command')
    .argument('[command...]')
    .action((names: readonly string[]) => {
      let explained = group;
      for (const name of names) explained = commandOf(explained, name);
      explained.help();
    });
}

function commandOf(group: Command, name: string): Command {
  const found = group.commands.find((command) => command.name() === name);
  if (found !== undefined) return found;
  const nearest = nearestName(
    name,
    group.commands.map((command) => command.name()),
  );
  return group.error(`error: unknown command '${name}'${nearest === null ? '' : `\n(Did you mean ${nearest}?)`}`);
}
