// Small pictures of the page, kept beside the tests: a change of its look has to be seen. `UTFALL_BLESS=1` renews them.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const { UTFALL_KEPT_PICTURES: KEPT, UTFALL_BLESS: BLESS } = process.env;
/** Where the pictures are, if they are to be compared. */
export const kept = KEPT;

/** How much smaller a kept picture is. Text is gray there, so other fonts or versions of the browser change little. */
const SCALE = 8;
/** A pixel is another one if a colour differs by more than this, of 255. */
const TOLERANCE = 40;
/** How many pixels may be, and by how much the height may differ, as a part of all. */
const FEW = 0.03;

/** Reads a picture, which is made smaller. That runs in a blank page, whose CSP allows that. */
async function shrink(blank, picture, scale) {
  return blank.evaluate(async ([base64, scale]) => {
    const bytes = Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const [width, height] = [image.width, image.height].map((size) => Math.round(size / scale));
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    const png = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
    const { data } = context.getImageData(0, 0, width, height);
    return { height, pixels: [...data], png: [...png] };
  }, [picture.toString('base64'), scale]);
}

/** The widths of texts in the fonts of the page: other fonts, or a script without one, make other pictures. */
async function fonts(page) {
  return page.evaluate(() => {
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    const style = getComputedStyle(document.documentElement);
    return ['--sans', '--mono'].map((family) => {
      context.font = `100px ${style.getPropertyValue(family)}`;
      return ['Bytes of text', '論語', 'كتاب', '🌙'].map((text) => Math.round(context.measureText(text).width));
    });
  });
}

/** Why the pictures cannot be compared here, or nothing. With `UTFALL_BLESS`, the fonts here become those of the pictures. */
export async function otherFonts(page) {
  const path = join(KEPT, 'fonts.json');
  const here = JSON.stringify(await fonts(page));
  if (BLESS && BLESS !== '0') {
    await mkdir(KEPT, { recursive: true });
    await writeFile(path, `${here}\n`);
  }
  const kept = await readFile(path, 'utf8').catch(() => '');
  return here === kept.trim() ? undefined : `pictures not compared: they were made with other fonts (widths ${kept.trim()}, here ${here})`;
}

/** What differs between a screenshot and the kept one, or nothing. */
export async function difference(blank, name, screenshot) {
  const path = join(KEPT, `${name}.png`);
  const now = await shrink(blank, screenshot, SCALE);
  const old = await readFile(path).then((picture) => shrink(blank, picture, 1), () => undefined);
  const report = old === undefined ? 'no picture is kept' : compare(old, now);
  if (report === undefined || !BLESS || BLESS === '0') return report;
  await mkdir(KEPT, { recursive: true });
  await writeFile(path, Uint8Array.from(now.png));
  return undefined;
}

/** What differs between two pictures. */
export function compare(old, now) {
  if (Math.abs(old.height - now.height) > FEW * old.height) return `its height of ${old.height} is ${now.height} now`;
  const size = Math.min(old.pixels.length, now.pixels.length);
  let others = 0;
  for (let at = 0; at < size; at += 4) {
    if ([0, 1, 2].some((colour) => Math.abs(old.pixels[at + colour] - now.pixels[at + colour]) > TOLERANCE)) others++;
  }
  const part = others / (size / 4);
  return part > FEW ? `${(100 * part).toFixed(1)} % of its pixels are others` : undefined;
}
