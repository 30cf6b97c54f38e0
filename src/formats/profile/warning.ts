/** A finding about a valid profile that the owner should check; `path` is that of the value it is about. */
export interface Warning {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
