// Elements. Text from an input only ever becomes text: nothing here parses HTML.

export const $ = (id) => document.getElementById(id);

/** An element with properties and children. Attributes are those with `-`, `role`, and `class`. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key.includes('-') || key === 'role' || key === 'class') made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Characters without a glyph, or that change the appearance of others. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0]/u;

/** A text with its invisible characters, except white space, shown as code points. */
export function visible(text) {
  const parts = [''];
  for (const character of text.replaceAll('\r\n', '\n')) {
    if (character === '\n' || character === '\t' || !INVISIBLE.test(character)) {
      if (typeof parts.at(-1) !== 'string') parts.push('');
      parts[parts.length - 1] += character;
    } else {
      const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
      parts.push(element('span', { class: 'invisible' }, `U+${code}`));
    }
  }
  return parts;
}

/** Saves bytes as a file. */
export function save(bytes, name) {
  const address = URL.createObjectURL(new Blob([bytes]));
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** `1 problem`, `2 problems`. */
export function count(number, singular, plural = `${singular}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? singular : plural}`;
}

/** `93.8 %`: a confidence. */
export function percent(confidence) {
  return confidence > 0.999 ? '> 99.9 %' : `${(confidence * 100).toFixed(1)} %`;
}
