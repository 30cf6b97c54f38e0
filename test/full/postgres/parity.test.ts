import '../../support/on-postgres.ts';
import '../e2e/parity.test.ts';
