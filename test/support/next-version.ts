import { registerHooks } from 'node:module';

// Imported by a process before the program, it makes the program the next version: its last migration adds a column and a table.

const added = `
Object.assign(migrations, {
  '9999-next-version': {
    async up(db) {
      await db.schema
        .alterTable('contacts')
        .addColumn('next_column', 'text', (column) => column.notNull().defaultTo('as before'))
        .execute();
      await db.schema.createTable('next_table').addColumn('id', 'text', (column) => column.primaryKey()).execute();
    },
  },
});
`;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    return url.endsWith('/src/adapters/store/migrations.ts')
      ? { ...loaded, source: `${loaded.source}${added}` }
      : loaded;
  },
});
