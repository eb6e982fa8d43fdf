// Detection, repair, explanations and checks: functions of the whole module.

import { bytesOf, join } from './bytes.js';

/** Makes the functions. */
export function reports(engine) {
  const numberOf = (encoding) => (encoding === undefined ? 0 : engine.encoding(encoding));

  const detect = (bytes, options = {}) => {
    const { lines: [{ bytes: length, bytes_read, candidates, sure }] } = engine.report('detect', bytesOf(bytes), options);
    const [best] = candidates;
    return {
      encoding: best?.encoding ?? null,
      confidence: best?.confidence ?? 0,
      sure,
      evidence: best?.evidence ?? [],
      candidates,
      bytes: length,
      bytesRead: bytes_read,
    };
  };

  const repair = (input, options = {}) => {
    const isText = typeof input === 'string';
    const bytes = isText ? new TextEncoder().encode(input) : bytesOf(input);
    const { text, lines } = engine.report('repair', bytes, options);
    const repaired = text.length === 0 ? new Uint8Array(0) : join(text);
    const of = (type) => lines.filter((line) => line.type === type).map(plain);
    const [file] = of('file');
    return {
      get text() {
        return new TextDecoder('utf-8', { ignoreBOM: true }).decode(repaired);
      },
      bytes: repaired,
      changes: of('change'),
      skipped: of('skipped'),
      likely: file.likely,
    };
  };

  const explain = (bytes, { encoding, ...options } = {}) => {
    const { lines } = engine.report('explain', bytesOf(bytes), options, numberOf(encoding));
    const [{ encoding: name, by_bom }] = lines;
    const { problems, likely } = lines.at(-1);
    return { encoding: name, byBom: by_bom, units: lines.slice(1, -1).map(plain), problems, likely };
  };

  const explainMail = (bytes, options = {}) => {
    const { lines } = engine.report('explain_mail', bytesOf(bytes), options);
    const [parts, layers] = [[], []];
    for (const line of lines) {
      if (line.type === 'part') parts.push(plain(line));
      else if (line.type === 'layer') layers.push({ ...plain(line), units: [] });
      else if (line.type === 'unit') layers.at(-1).units.push(plain(line));
    }
    return { parts, layers, problems: lines.at(-1).problems };
  };

  const check = (bytes, { encoding, ...options } = {}) => {
    const { lines } = engine.report('check', bytesOf(bytes), options, numberOf(encoding));
    const [file] = lines.filter((line) => line.type === 'file').map(plain);
    return { ...file, problems: lines.filter((line) => line.type !== 'file' && line.type !== 'summary').map(plain) };
  };

  const characterName = (character) => {
    const point = typeof character === 'string' ? character.codePointAt(0) : character;
    if (!Number.isInteger(point) || point < 0 || point > 0x10ffff) {
      throw new TypeError('expected a character or its code point, from 0 to 0x10ffff');
    }
    return engine.characterName(point);
  };

  return { detect, repair, explain, explainMail, check, characterName };
}

/** An object of a report, without what is the same in all of them. */
function plain({ version: _version, type: _type, file: _file, input: _input, ...rest }) {
  return rest;
}
