/** How many rows were erased, and the ids of the mails that reported them. */
export interface ErasedRows {
  readonly count: number;
  readonly mails: readonly { readonly mail_id: string | null }[];
}
