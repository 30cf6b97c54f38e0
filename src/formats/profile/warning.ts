/** Something in a valid profile that its owner should check; the path is that of the value in the profile. */
export interface Warning {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
