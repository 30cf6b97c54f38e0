import {
  HorizontalPositionAlign,
  HorizontalPositionRelativeFrom,
  ImageRun,
  type Paragraph,
  TextWrappingSide,
  TextWrappingType,
  VerticalPositionAlign,
  VerticalPositionRelativeFrom,
} from 'docx';
import stringWidth from 'string-width';
import { contactUrlOf, readable } from '../outline/entry.ts';
import type { Outline } from '../outline/outline.ts';
import { type Item, type Line, worded } from '../outline/part.ts';
import { type Inline, nameSize, setterOf, toLink, toRuns } from './text.ts';

/** A picture. Width and height are in pixels before a rotation; `orientation` is the EXIF orientation, 1 to 8. */
export interface Photo {
  readonly format: 'jpg' | 'png';
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly orientation: number;
}

const separator = ' · ';
/** Estimates of how many characters fit on a line, and on a line beside a photo. */
const charactersOfLine = 90;
const charactersBesidePhoto = 75;
const charactersOfName = 25;

/** Sets the head of a resume or letter: the name, the headline and the contacts, with a photo beside them. */
export function toHead({ names: [name], blocks, direction }: Outline, photo: Photo | null): Paragraph[] {
  const { paragraph, joined } = setterOf(direction);
  const itemsOf = (key: Line['key']) => blocks.flatMap((line) => (line.key === key ? line.items : []));
  const title = worded(name!);
  // A long name is set smaller, on one line if that is enough.
  const width = stringWidth(title);
  const runs = toRuns(
    title,
    width <= charactersOfName ? {} : { size: Math.max(Math.floor((nameSize * charactersOfName) / width), 40) },
  );
  const [contacts, links] = [itemsOf('contacts'), itemsOf('links')];
  const [own, addresses] = [contacts.map(toContact), links.map(toAddress)];
  const length = [...contacts.map(({ text }) => text), ...links.map(readable)].join(separator).length;
  const lines =
    length <= (photo === null ? charactersOfLine : charactersBesidePhoto) ? [[...own, ...addresses]] : [own, addresses];
  return [
    paragraph([...(photo === null ? [] : [toImage(photo, title, direction)]), ...runs], { heading: 1 }),
    ...itemsOf('headline').map(({ text }) => paragraph(toRuns(text, { italics: true }), { style: 'Headline' })),
    ...lines.filter((line) => line.length > 0).map((line) => paragraph(joined(line, separator), { style: 'Contacts' })),
  ];
}

function toContact(item: Item): Inline[] {
  const url = contactUrlOf(item);
  return url === undefined ? toRuns(item.text) : [toLink(url, item.text)];
}

const toAddress = (item: Item): Inline[] => [toLink(item.url ?? item.text, readable(item))];

/** The size of a photo in pixels of 1/96 inch: 2.3 by 2.8 cm. */
const frame = { width: 87, height: 106 };

/** A photo in the upper corner at the end of the lines, cut to its frame and upright. */
function toImage({ format, bytes, width, height, orientation }: Photo, title: string, direction: Outline['direction']) {
  const isTurned = orientation > 4;
  const box = isTurned ? { width: frame.height, height: frame.width } : frame;
  const ratio = width / height / (box.width / box.height);
  const [x, y] = [Math.max(0, 1 - 1 / ratio) * 50, Math.max(0, 1 - ratio) * 50];
  return new ImageRun({
    type: format,
    data: orientation === 1 ? bytes : withoutExif(bytes),
    transformation: {
      ...box,
      rotation: rotations[orientation]!,
      flip: { horizontal: [2, 4, 5, 7].includes(orientation) },
    },
    crop: { left: x, right: x, top: y, bottom: y },
    altText: { id: '1', name: 'photo', description: title },
    floating: {
      horizontalPosition: {
        relative: HorizontalPositionRelativeFrom.MARGIN,
        align: direction === 'rtl' ? HorizontalPositionAlign.LEFT : HorizontalPositionAlign.RIGHT,
      },
      verticalPosition: { relative: VerticalPositionRelativeFrom.MARGIN, align: VerticalPositionAlign.TOP },
      wrap: { type: TextWrappingType.SQUARE, side: TextWrappingSide.BOTH_SIDES },
      margins: { left: 150_000, right: 150_000 },
    },
  });
}

/** Removes the EXIF segment, the second of a JPEG: only some programs rotate by it, and the document already does. */
const withoutExif = (bytes: Uint8Array): Uint8Array =>
  Buffer.concat([bytes.subarray(0, 2), bytes.subarray(4 + Buffer.from(bytes).readUInt16BE(4))]);

/** Degrees clockwise for each EXIF orientation. */
const rotations = [0, 0, 0, 180, 180, 270, 90, 90, 270];
