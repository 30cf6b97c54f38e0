import { accentsOf, contrastOnLight } from '../../../../model/profile/accent.ts';
import { Colour } from '../../../../model/profile/resume-design.ts';

export const isColour = (text: string | undefined): text is string => Colour.safeParse(text).success;

/** Says how readable a colour is that a form holds; `isOfPages`, whether it is that of the pages, and not of the PDF alone. */
export function contrastWords(colour: string, isOfPages: boolean): string {
  const { light, dark } = accentsOf(colour);
  const ratio = (one: string) => `${(Math.floor(contrastOnLight(one) * 10) / 10).toFixed(1)} to 1`;
  const onLight =
    light === colour.toLowerCase()
      ? `Readable: its contrast is ${ratio(colour)}.`
      : `Hard to read, at ${ratio(colour)}: darkened to ${light}, which has ${ratio(light)}.`;
  return isOfPages ? `${onLight} On dark pages it is ${dark}.` : onLight;
}
