import {
  type ColumnDefinitionNode,
  DataTypeNode as DataType,
  type DataTypeNode,
  type Dialect,
  GeneratedNode,
  PostgresDialect,
  PostgresIntrospector,
  type PostgresPool,
  PostgresQueryCompiler,
  sql,
  type TableMetadata,
} from 'kysely';

/** Returns a dialect whose columns behave as on SQLite: texts in byte order, a row id for each integer key. */
export function dialectOf(pool: PostgresPool): Dialect {
  const dialect = new PostgresDialect({ pool });
  return {
    createDriver: () => dialect.createDriver(),
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => new SqliteLikeQueryCompiler(),
    createIntrospector: (db) => new CurrentSchemaIntrospector(db),
  };
}

class SqliteLikeQueryCompiler extends PostgresQueryCompiler {
  // PostgreSQL refuses U+0000 even in a text that is only searched for.
  protected override addParameter(parameter: unknown): void {
    super.addParameter(typeof parameter === 'string' ? parameter.replaceAll('\0', '\ufffd') : parameter);
  }

  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    const isRowId = node.primaryKey === true && isType(node, 'integer');
    super.visitColumnDefinition(
      isRowId ? { ...node, dataType: DataType.create('bigint'), generated: byDefaultAsIdentity } : node,
    );
  }

  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node);
    if (node.dataType === 'text') this.append(' collate "C"');
  }
}

const byDefaultAsIdentity = GeneratedNode.create({ byDefault: true, identity: true });

const isType = ({ dataType }: ColumnDefinitionNode, name: string): boolean =>
  DataType.is(dataType) && dataType.dataType === name;

// Another program may have tables with the same names in another schema.
class CurrentSchemaIntrospector extends PostgresIntrospector {
  readonly #db: ConstructorParameters<typeof PostgresIntrospector>[0];

  constructor(db: ConstructorParameters<typeof PostgresIntrospector>[0]) {
    super(db);
    this.#db = db;
  }

  override async getTables(...options: Parameters<PostgresIntrospector['getTables']>): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(this.#db);
    return (await super.getTables(...options)).filter(({ schema }) => schema === rows[0]?.name);
  }
}
