import type { DeskPorts } from '../../surfaces/web/desk/desk.ts';
import type { Config } from '../config/config.ts';
import type { OpenServices } from '../services.ts';

/** Returns what the owner can see of the e-mails to them, and send again. */
export function mailOf({ smtpUrl }: Config, opened: OpenServices): DeskPorts['mail'] {
  const { services, store, outbox, ownerEmail, mailDirectory } = opened;
  return {
    // The host alone: the URL has the password.
    destination:
      smtpUrl === undefined
        ? { kind: 'folder', name: mailDirectory }
        : { kind: 'smtp', name: new URL(smtpUrl).hostname },
    ownerAddress: ownerEmail,
    countDeadLetters: async () => (await store.outbox.state()).dead,
    listUnsent: store.outbox.listUnsent,
    mailBudgets: store.outbox.budgets,
    async retry(id) {
      const count = await store.outbox.retryDead(services.now(), id);
      outbox?.wake('owner');
      return count;
    },
  };
}
