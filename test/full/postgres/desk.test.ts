import '../../support/on-postgres.ts';
import '../../pages/desk-clients.test.ts';
import '../../pages/desk-figures.test.ts';
import '../../pages/desk-inbox.test.ts';
import '../../pages/desk-readers.test.ts';
import '../../pages/desk-replies.test.ts';
import '../../pages/desk.test.ts';
import { isFull } from '../../support/figures.ts';

// In full alone: they take 30 s.
if (isFull) {
  await import('../../e2e/desk.test.ts');
  await import('../../pages/desk-mail.test.ts');
  await import('../../pages/desk-today.test.ts');
  await import('../../trust/mail/sign-in-mail.test.ts');
}
