import type { MailsPerHour } from '../adapters/store/mail-budget.ts';
import type { Config } from '../service/config/config.ts';

/** Opens what DATA_DIR and the database hold, until it is disposed of; loads the store only now, because most commands do without it. */
export const openState = async (config: Config, options?: { readonly mailsPerHour: MailsPerHour }) =>
  (await import('../service/state.ts')).openState(config, options);
