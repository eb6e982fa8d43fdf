import type { Bytes, Label } from './common.js';

/** Why a guess was made. */
export interface Evidence {
  kind: string;
  /** For people. */
  text: string;
  count?: number;
  [field: string]: unknown;
}

/** A possible encoding. */
export interface Candidate {
  encoding: string;
  /** The probability, from 0 to 1. */
  confidence: number;
  /** Another encoding that is nearly as likely. */
  rival?: string;
  /** The likeliest language as a BCP 47 tag, such as `cs`; only for charsets older than Unicode. */
  language?: string;
  evidence: Evidence[];
}

/** The result of {@link detect}. */
export interface Detection {
  /** The best guess; `null` if there is none. */
  encoding: string | null;
  /** Its probability, from 0 to 1. */
  confidence: number;
  /** Whether the guess is good enough to act on. */
  sure: boolean;
  evidence: Evidence[];
  /** The best guesses, as many as `candidates` asks for. */
  candidates: Candidate[];
  /** The length of the text. */
  bytes: number;
  /** How much of it was read: large texts are sampled. */
  bytesRead: number;
}

/** Options of {@link detect}. */
export interface DetectOptions {
  /** Read all of the text, not samples. */
  all?: boolean;
  /** The most candidates to return. Default: 1. */
  candidates?: number;
  /** The language of the text as a BCP 47 tag, such as `ja`. */
  language?: string;
  /** The probability that is enough to be sure, from 0 to 1. */
  minConfidence?: number;
}

/** Guesses the encoding of a text. */
export declare function detect(bytes: Bytes, options?: DetectOptions): Detection;

/** A repaired place. The fields are those of `utfall repair --json`, which docs/json.md describes. */
export interface Change {
  line: number;
  offset: number;
  offset_after: number;
  before_hex: string;
  after_hex: string;
  before_text: string;
  after_text: string;
  /** The wrong decodings of the text, the first first. */
  steps: { step: string; charset?: string; loss?: string; bytes?: number }[];
  /** From 0 to 1. */
  confidence: number;
}

/** A place that looks damaged, but was skipped. */
export interface Skipped {
  line: number;
  offset: number;
  before_text: string;
  after_text: string;
  reason: string;
}

/** An encoding that an invalid text looks like. */
export interface Likely {
  encoding: string;
  confidence: number;
  [field: string]: unknown;
}

/** The result of {@link repair}. */
export interface Repaired {
  /** The repaired text. */
  readonly text: string;
  /** The same as bytes. They may be invalid where the text was. */
  bytes: Uint8Array<ArrayBuffer>;
  changes: Change[];
  skipped: Skipped[];
  /** The encoding that the text looks like, if it is not UTF-8. */
  likely?: Likely;
}

/** Options of {@link repair}. */
export interface RepairOptions {
  /** The probability that a change must have, from 0 to 1. */
  minConfidence?: number;
  /** Decode escapes such as `\u00e9`. */
  jsonEscapes?: boolean;
  /** Decode entities such as `&Atilde;`. */
  htmlEntities?: boolean;
  /** Decode percent-encoding such as `%C3%83`. */
  percentEncoding?: boolean;
  /** Also repair what seems to show mojibake on purpose, such as quoted examples. */
  force?: boolean;
}

/**
 * Fixes mojibake: text that was decoded with the wrong encoding. Other text stays as it is.
 *
 * @param input a string, or bytes of UTF-8.
 * @example repair('Les Ã©lÃ¨ves franÃ§ais').text // 'Les élèves français'
 */
export declare function repair(input: string | Bytes, options?: RepairOptions): Repaired;

/** A part of a text. The fields are those of `utfall explain --json`, which docs/json.md describes. */
export interface Unit {
  kind: string;
  offset: number;
  line: number;
  column: number;
  /** The bytes, in hexadecimal. */
  hex: string;
  /** The bytes, in binary. */
  bits?: string[];
  /** Which of the bits are those of the code point. */
  payload_mask?: string[];
  code_point?: string;
  character?: string;
  name?: string;
  problem?: { kind: string; message: string; clause: string; offset: number; length: number };
  accepted_by?: string[];
  /** In mail, the position and the bytes in the message. `offset` then counts in the decoded text. */
  source?: { offset: number; hex: string };
  [field: string]: unknown;
}

/** The result of {@link explain}. */
export interface Explanation {
  encoding: string;
  /** The encoding is that of the BOM. */
  byBom: boolean;
  /** Every byte belongs to exactly one. */
  units: Unit[];
  /** The number of invalid sequences. */
  problems: number;
  likely?: Likely;
}

/** Options of {@link explain}. */
export interface ExplainOptions {
  /** The encoding; without it, that of the BOM, else UTF-8. */
  encoding?: Label;
  /** The first byte to explain. */
  begin?: number;
  /** The byte to stop before. */
  end?: number;
  /** Return invalid sequences only. */
  onlyProblems?: boolean;
}

/** Explains a text byte by byte: bits, code points, names, errors. */
export declare function explain(bytes: Bytes, options?: ExplainOptions): Explanation;

/** A part of a message, with the fields of `utfall explain --mail --json` (docs/json.md). */
export interface MailPart {
  /** The message of the mbox, from 0. */
  message_index: number;
  /** The part of the message, from 0. */
  part_index: number;
  /** The part that contains it. */
  parent_index?: number;
  /** The media type in lower case, such as `text/plain`. */
  media_type: string;
  /** Whether the part is an attachment, to be saved and not displayed. */
  attachment: boolean;
  /** Where header and body are in the input, in bytes. */
  offset: number;
  length: number;
  /** The transfer encoding, if it is known. */
  transfer_encoding?: string;
  /** The charset as the message names it. */
  charset?: string;
}

/** A text of a message, with the fields of `utfall explain --mail --json` (docs/json.md). */
export interface MailLayer {
  /** The message of the mbox, from 0. */
  message_index: number;
  /** The part of the message, from 0. */
  part_index: number;
  place: 'encoded-word' | 'parameter' | 'field' | 'long-field' | 'body';
  /** The name of the header field. */
  field?: string;
  /** Where it is in the input, in bytes. */
  offset: number;
  length: number;
  /** The transfer encoding, such as `quoted-printable`. */
  transfer_encoding?: string;
  /** The charset as the message names it. */
  charset?: string;
  encoding?: string;
  /** The encoding is a guess. */
  guessed: boolean;
  /** The decoded text, with U+FFFD for invalid sequences, if the encoding is known. */
  text?: string;
  /** Problems of the transfer encoding and the charset. `units` has the problems of the text. */
  problems?: { message: string; clause?: string }[];
  /** The characters; empty with {@link ExplainMailOptions.onlyLayers}. Their `source` is the place in the message. */
  units: Unit[];
}

/** Options of {@link explainMail}. */
export interface ExplainMailOptions {
  /** The first byte to explain. */
  begin?: number;
  /** The byte to stop before. */
  end?: number;
  /** Return invalid sequences only. Then `parts` is empty, and texts without problems are left out. */
  onlyProblems?: boolean;
  /** Return the texts without their units. */
  onlyLayers?: boolean;
}

/** The explanation of a message, an mbox or encoded words. */
export interface MailExplanation {
  /** The parts, in order. The first part of each message is the message itself. */
  parts: MailPart[];
  /** The texts. */
  layers: MailLayer[];
  /** The number of invalid sequences. */
  problems: number;
}

/** Explains the texts of a message or an mbox: encoded words, parameters, bodies, with their transfer encodings and charsets. */
export declare function explainMail(bytes: Bytes, options?: ExplainMailOptions): MailExplanation;

/** A problem of a text. The fields are those of `utfall check --json`, which docs/json.md describes. */
export interface Finding {
  rule: string;
  level: 'error' | 'warning';
  line?: number;
  column?: number;
  offset?: number;
  message?: string;
  clause?: string;
  [field: string]: unknown;
}

/** The result of {@link check}. */
export interface Checked {
  encoding: string;
  bytes: number;
  /** Whether the text is valid in its encoding. */
  valid: boolean;
  /** The number of problems with the level `error`. */
  errors: number;
  problems: Finding[];
  /** The specifications of UTF-8 that accept the text. */
  accepted_by?: string[];
  explanation?: string;
  likely?: Likely;
  [field: string]: unknown;
}

/** Options of {@link check}. */
export interface CheckOptions {
  /** The encoding; without it, that of the BOM, else UTF-8. */
  encoding?: Label;
  /** Report every problem, not only the first of each rule. */
  all?: boolean;
  /** Decode escapes such as `\u00e9`. */
  jsonEscapes?: boolean;
  /** Search for concealed text. */
  concealed?: boolean;
  /** Levels of rules, such as `control=error,bom=off`; the levels are `off`, `warning` and `error`. */
  levels?: string;
}

/** Checks a text for invalid or suspicious parts. */
export declare function check(bytes: Bytes, options?: CheckOptions): Checked;

/** The name of a character, or a label in angle brackets: `EURO SIGN`, `<control> LINE FEED`. */
export declare function characterName(character: string | number): string;
