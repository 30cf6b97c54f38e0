import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { SeesTicks } from './seen.ts';
import { editor } from './state.ts';
import { html, Popover, page } from './ui.ts';

const at = ['resume', 'photo'];

/** The photo on the paper: a click chooses, cuts and removes it. */
export function Photo(): VNode {
  const name = editor.at(at) as string | undefined;
  const shown =
    name === undefined
      ? 'Add a photo'
      : html`<img src=${`${page().paths.photo}?name=${encodeURIComponent(name)}`} alt="" width="120" height="120" />`;
  return html`<${Popover} class=${`paper-photo${name === undefined ? ' ghost' : ''}`} text=${shown} label=${name === undefined ? 'Add a photo' : 'Photo: change it'}
    at="/resume/photo" popClass="pop-end" title="Photo">${(close: () => void) => html`<${PhotoForm} close=${close} />`}</${Popover}>`;
}

/** The square that is cut out: its size as a part of the shorter side is 1 / `zoom`, `x` and `y` are 0 to 1. */
interface Cut {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

const between = (value: number) => Math.min(1, Math.max(0, value));

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, { zoom, x, y }: Cut): void {
  const side = Math.min(picture.width, picture.height) / zoom;
  const context = canvas.getContext('2d')!;
  // JPEG has no transparency.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  const [left, top] = [x * (picture.width - side), y * (picture.height - side)];
  context.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
}

/** The width of the photo in pixels: 2.8 cm at 900 dpi. */
const width = 1000;

async function upload(picture: ImageBitmap, cut: Cut): Promise<string> {
  const canvas = Object.assign(document.createElement('canvas'), { width, height: width });
  draw(canvas, picture, cut);
  const body = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));
  const post = (token: string) =>
    fetch(page().paths.photo, {
      method: 'POST',
      body,
      headers: { 'content-type': 'image/jpeg', 'x-form-token': token },
    });
  let response = await post(page().formToken);
  const token = response.headers.get('x-form-token');
  // The token of a page that has been open for long.
  if (response.status === 403 && token !== null) response = await post(token);
  const answer = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new Error(answer.message ?? answer.error?.message ?? 'The photo could not be saved. Try again in a while.');
  return answer.photo;
}

function PhotoForm({ close }: { readonly close: () => void }): VNode {
  const picture = useSignal<ImageBitmap | null>(null);
  const cut = useSignal<Cut>({ zoom: 1, x: 0.5, y: 0.5 });
  const fault = useSignal('');
  const canvas = useRef<HTMLCanvasElement>(null);
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      picture.value = await createImageBitmap(file);
      cut.value = { zoom: 1, x: 0.5, y: 0.5 };
      fault.value = '';
    } catch {
      fault.value = 'This file is not a picture that your browser can read.';
    }
  };
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => void take(clipboardData?.files[0]);
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
  useEffect(() => {
    if (canvas.current && picture.value) draw(canvas.current, picture.value, cut.value);
  }, [picture.value, cut.value]);
  /** Moves the picture under the frame by a part of the frame's width. */
  const move = (dx: number, dy: number) => {
    const { width: w, height: h } = picture.value!;
    const { zoom, x, y } = cut.value;
    const side = Math.min(w, h) / zoom;
    const moved = (place: number, by: number, length: number) =>
      length > side ? between(place - (by * side) / (length - side)) : place;
    cut.value = { zoom, x: moved(x, dx, w), y: moved(y, dy, h) };
  };
  const drag = ({ buttons, movementX, movementY, currentTarget }: PointerEvent) => {
    const { clientWidth } = currentTarget as HTMLElement;
    if (buttons === 1) move(movementX / clientWidth, movementY / clientWidth);
  };
  const keys: Readonly<Record<string, readonly [number, number]>> = {
    ...{ ArrowLeft: [0.02, 0], ArrowRight: [-0.02, 0], ArrowUp: [0, 0.02], ArrowDown: [0, -0.02] },
  };
  const byKey = (event: KeyboardEvent) => {
    const by = keys[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(...by);
  };
  const use = async () => {
    try {
      editor.set(at, await upload(picture.value!, cut.value));
      close();
    } catch (error) {
      fault.value = (error as Error).message;
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void take(event.dataTransfer?.files[0]);
  };
  const remove = () => {
    editor.set(at, undefined);
    close();
  };
  return html`<div onDragOver=${(event: DragEvent) => event.preventDefault()}
    onDrop=${drop}>
    <label class="drawer-field"><span>Choose a picture, drop it here, or paste it</span>
      <input type="file" accept="image/*" onChange=${({ currentTarget }: Event) => take((currentTarget as HTMLInputElement).files?.[0])} /></label>
    ${
      picture.value &&
      html`<canvas ref=${canvas} width="320" height="320" tabindex="0" role="img" aria-label="The part that is shown; drag it, or use the arrow keys"
        onPointerDown=${(event: PointerEvent) => (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)} onPointerMove=${drag} onKeyDown=${byKey} />
      <label class="drawer-field"><span>Larger</span><input type="range" min="1" max="4" step="0.01" value=${cut.value.zoom}
        onInput=${({ currentTarget }: Event) => {
          cut.value = { ...cut.value, zoom: Number((currentTarget as HTMLInputElement).value) };
        }} /></label>`
    }
    ${fault.value && html`<p class="finding" data-kind="fault" role="alert">${fault.value}</p>`}
    ${editor.at(at) !== undefined && html`<${SeesTicks} what="photo" />`}
    <small>Cut to a square. Where and when it was taken is removed from it.</small>
    <p class="pop-actions">${picture.value && html`<button type="button" class="primary" onClick=${use}>Use it</button>`}
      ${editor.at(at) !== undefined && html`<button type="button" onClick=${remove}>Remove the photo</button>`}
      <button type="button" onClick=${close}>Cancel</button></p></div>`;
}
