// In a process of its own: each way of hiding, for a reader with an address and for one by a link; in `test/trust` each for one of them.
process.env.FULL_RUN = 'true';
await import('../../trust/view-leaks.test.ts');
