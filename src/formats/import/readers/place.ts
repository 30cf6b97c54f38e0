import type { InputCursor } from '../source/input-cursor.ts';
import { joined, type Value } from '../source/value.ts';

/** Reads a place as one text, without street and postcode. */
export function toPlace(place: InputCursor): Value | undefined {
  for (const key of ['address', 'postalCode'])
    place.at(key).exclude('It is private; the profile says city, region and country');
  const parts = [place.text('city'), place.text('region'), place.text('countryCode', 'country')];
  return place.text() ?? joined(parts, ', ', 'joined with the rest of the location into one text');
}
