import '../support/on-replicas.ts';
import '../contract/parity.test.ts';
import '../contract/rest.test.ts';
