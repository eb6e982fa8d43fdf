/** Bytes: a `Uint8Array` such as `Buffer`, an `ArrayBuffer`, or another view. */
export type Bytes = ArrayBufferLike | ArrayBufferView;

/**
 * The name of an encoding or another label, such as `UTF-8`, `latin1`, `Shift_JIS`. Case, spaces and punctuation do
 * not matter. {@link encodings} lists the names.
 */
export type Label = string;

/** What to do with invalid input, and with characters that an encoding lacks. */
export type Policy =
  /** Throw an {@link UtfallError}. */
  | 'strict'
  /** Write U+FFFD, or `?` if the encoding lacks it. */
  | 'replace'
  /** Write nothing. The text on both sides is joined, which attackers have used. */
  | 'skip'
  /** Write `\xNN` for an invalid byte, `\u{N}` for a character. */
  | 'escape'
  /** Write `\xNN` for an invalid byte, `&#N;` for a character. */
  | 'escape-xml'
  /** Write `\xNN` for an invalid byte; `\xNN`, `\uNNNN` or `\UNNNNNNNN` for a character. */
  | 'escape-python'
  /** Read bytes 80 to FF as U+DC80 to U+DCFF, and write these as bytes again, as Python does. */
  | 'surrogateescape';

/** A deviation from UTF-7, or from the UTF-7 of IMAP, that decoders accept. */
export type Utf7Deviation =
  | 'end-shift-dropped' | 'end-shift-kept' | 'empty-shift-dropped' | 'empty-shift-kept' | 'non-zero-padding'
  | 'dangling-digits' | 'lone-surrogates' | 'split-pairs' | 'controls' | 'backslash-tilde' | 'latin1' | 'encoded-ascii'
  | 'null-shift' | 'slash-digit' | 'unterminated';

/** Options of conversions. The defaults stop at the first error. */
export interface ConversionOptions {
  /** Sets `onInvalid` and `onUnencodable`. Default: `strict`. */
  onError?: Policy;
  /** The policy for invalid input. */
  onInvalid?: Policy;
  /** The policy for characters that the target lacks. */
  onUnencodable?: Policy;
  /** The text for `replace` to write for invalid input: at most 24 code points. Default: U+FFFD. */
  replacement?: string;
  /** The text for `replace` to write for a character that the target lacks. Default: U+FFFD or `?`. */
  substitute?: string;
  /** How many U+FFFD to write for invalid UTF-8. Default: `maximal-subpart`, as in Unicode and on the web. */
  granularity?: 'maximal-subpart' | 'per-byte' | 'jdk' | 'perl';
  /** Byte order marks. `auto`, the default, uses and removes one that determines the byte order. */
  bom?: 'auto' | 'keep' | 'strip' | 'add';
  /**
   * How to convert characters that vendors of East Asian charsets map differently, such as the wave dash. `table`, the
   * default, follows the charset; `either` writes both code points.
   */
  doubleMappings?: 'table' | 'round-trip' | 'either' | 'jis' | 'microsoft';
  /** `write`: write JIS X 0212 in EUC-JP. Default: `read`, as on the web. */
  jisX0212?: 'read' | 'write';
  /** The style of UTF-7: `direct` or `header`, and `minimal` or `explicit`, separated by a comma. */
  utf7?: string;
  /** Deviations of UTF-7 to accept. Default: none. */
  utf7Allow?: readonly Utf7Deviation[];
  /**
   * Whether to replace characters that the target lacks by similar ones (`€` by `EUR`) before `onUnencodable`
   * applies. Only in `utfall` and `utfall/inline`.
   */
  transliterate?: boolean;
}

/** The kind of an error in a text. */
export type ErrorKind =
  | 'truncated' | 'missing-trail' | 'unexpected-trail' | 'invalid-byte' | 'overlong' | 'surrogate' | 'out-of-range'
  | 'long-form' | 'not-direct' | 'control' | 'eight-bit' | 'empty-shift' | 'non-zero-padding' | 'dangling-digit'
  | 'odd-bytes' | 'high-surrogate' | 'low-surrogate' | 'slash-digit' | 'unterminated' | 'null-shift'
  | 'encoded-ascii' | 'reserved' | 'undefined' | 'unencodable';

/** Why a function failed. For invalid text, the fields tell what is wrong and where. */
export declare class UtfallError extends Error {
  readonly name: 'UtfallError';
  readonly code:
    | 'ERR_UTFALL_INVALID_TEXT' | 'ERR_UTFALL_UNENCODABLE' | 'ERR_UTFALL_UNKNOWN_ENCODING'
    | 'ERR_UTFALL_INVALID_OPTION' | 'ERR_UTFALL_CLOSED' | 'ERR_UTFALL_BUG';
  /** The kind of the error in the text. */
  readonly kind?: ErrorKind;
  /** The encoding whose rule is violated. */
  readonly encoding?: string;
  /** The start of the invalid sequence: in bytes from 0, or as an index if the input is a string. */
  readonly offset?: number;
  /** Its length, in the same unit. */
  readonly length?: number;
  /** The line, from 1. */
  readonly line?: number;
  /** The column in code points, from 1. */
  readonly column?: number;
  /** The character that the target lacks, if `kind` is `unencodable`. */
  readonly codePoint?: number;
  /** In UTF-7, the bit of its group of eight Base64 digits at which the sequence begins. */
  readonly runBit?: number;
  /** What is wrong, without the place. */
  readonly reason?: string;
  /** The clause of the specification that the text violates: `RFC 3629 §3: …`. */
  readonly clause?: string;
}

/**
 * Decodes bytes to a string.
 *
 * @param bytes the text.
 * @param encoding its encoding; `UTF-8` if omitted.
 * @throws {UtfallError} if the text is invalid and the policy is `strict`, or if the encoding is unknown.
 * @example decode(Uint8Array.of(0x93, 0xfa, 0x96, 0x7b), 'shift_jis') // '日本'
 */
export declare function decode(bytes: Bytes, encoding?: Label, options?: ConversionOptions): string;

/**
 * Encodes a string. Lone surrogates are invalid input.
 *
 * @param text the string.
 * @param encoding the encoding of the result; `UTF-8` if omitted.
 * @throws {UtfallError} if the encoding lacks a character and the policy is `strict`, or if the encoding is unknown.
 * @example encode('Hi Mom -☺-!', 'UTF-7') // the bytes of 'Hi Mom -+Jjo--!'
 */
export declare function encode(text: string, encoding?: Label, options?: ConversionOptions): Uint8Array<ArrayBuffer>;

/**
 * Converts bytes from one encoding to another, without a string in between.
 *
 * @param to the encoding of the result; `UTF-8` if omitted.
 * @throws {UtfallError} as {@link decode} and {@link encode}.
 * @example transcode(Uint8Array.of(0xe9), 'latin1') // Uint8Array [0xc3, 0xa9]
 */
export declare function transcode(bytes: Bytes, from: Label, to?: Label, options?: ConversionOptions): Uint8Array<ArrayBuffer>;

/** Returns the first error of a text, or `undefined` if it is valid. */
export declare function validate(bytes: Bytes, encoding?: Label): UtfallError | undefined;

/** Tells whether a text is valid. */
export declare function isValid(bytes: Bytes, encoding?: Label): boolean;

/**
 * Lists every invalid sequence of a text, with line and column; with `to`, also every character that this encoding
 * lacks.
 */
export declare function problems(bytes: Bytes, encoding?: Label, options?: ConversionOptions & { to?: Label }): UtfallError[];

/** Lists the names of all encodings. */
export declare function encodings(): string[];

/** The properties of an encoding. */
export interface EncodingInfo {
  /** The preferred name: that of IANA if it is registered. */
  name: string;
  /** The number of the encoding in the C library. */
  number: number;
  /** Other labels. */
  aliases: string[];
  /** The specification. */
  specification: string;
  family: 'UTF-8' | 'UTF-16' | 'UTF-32' | 'UTF-7' | 'UTF-1' | 'UTF-EBCDIC' | 'compression' | 'single-byte' | 'multi-byte' | undefined;
  /** The length of a code unit in bytes: 1, 2 or 4. */
  codeUnit: number;
  /** The BOM or signature; empty if there is none. */
  bom: Uint8Array<ArrayBuffer>;
  /** The name is registered with IANA. */
  iana: boolean;
  /** Bytes 00 to 7F always are US-ASCII. */
  asciiTransparent: boolean;
  /** No byte has its highest bit set. */
  sevenBit: boolean;
  /** The meaning of a byte depends on bytes before its character. */
  stateful: boolean;
  /** A boundary between characters can be found from any byte. */
  selfSynchronizing: boolean;
}

/** Describes an encoding. */
export declare function encodingInfo(label: Label): EncodingInfo;

/** Returns the name of the encoding with a label, or `undefined`. */
export declare function findEncoding(label: Label): string | undefined;

/** Returns the encoding of a BOM at the start of a text and its length in bytes, or `undefined`. */
export declare function findBom(bytes: Bytes): { encoding: string; length: number } | undefined;

/** Names of mailboxes, in the modified UTF-7 of IMAP (RFC 3501 §5.1.3). */
export declare const imap: {
  /** Encodes a name: `台北` to `&U,BTFw-`. */
  encode(name: string): string;
  /** Decodes a name. `onInvalid: 'repair'` decodes invalid parts as well as possible, instead of throwing. */
  decode(name: string | Bytes, options?: { onInvalid?: 'strict' | 'repair' }): string;
};

/** How many errors a conversion has met so far. */
export interface Counts {
  /** Invalid sequences in the input. */
  invalid: number;
  /** Characters that the target lacks. */
  unencodable: number;
  /** Of both, those that were left out. */
  skipped: number;
  /** Deviations of UTF-7 that `utf7Allow` accepted. */
  tolerated: number;
}

/** A conversion in pieces. A character may be split between them. */
export interface Pieces<Input, Output> {
  /** How many errors there were so far; after `finish`, in all of the text. */
  readonly counts: Counts;
  /** Converts the next piece. An error ends the conversion. */
  push(input: Input): Output;
  /** Converts the last piece, and gives the memory back. */
  finish(input?: Input): Output;
  /** Begins again, with the same options. */
  reset(): void;
  /** Gives the memory back before the end. The garbage collector does so too, later. */
  close(): void;
  [Symbol.dispose](): void;
}

/** Decodes pieces of bytes to strings. */
export declare class Decoder implements Pieces<Bytes, string> {
  constructor(encoding?: Label, options?: ConversionOptions);
  readonly counts: Counts;
  push(input: Bytes): string;
  finish(input?: Bytes): string;
  reset(): void;
  close(): void;
  [Symbol.dispose](): void;
}

/** Encodes pieces of a string. */
export declare class Encoder implements Pieces<string, Uint8Array<ArrayBuffer>> {
  constructor(encoding?: Label, options?: ConversionOptions);
  readonly counts: Counts;
  push(input: string): Uint8Array<ArrayBuffer>;
  finish(input?: string): Uint8Array<ArrayBuffer>;
  reset(): void;
  close(): void;
  [Symbol.dispose](): void;
}

/** Converts pieces of bytes from one encoding to another. */
export declare class Transcoder implements Pieces<Bytes, Uint8Array<ArrayBuffer>> {
  constructor(from: Label, to?: Label, options?: ConversionOptions);
  readonly counts: Counts;
  push(input: Bytes): Uint8Array<ArrayBuffer>;
  finish(input?: Bytes): Uint8Array<ArrayBuffer>;
  reset(): void;
  close(): void;
  [Symbol.dispose](): void;
}

/** A {@link Decoder} as a web stream: `response.body.pipeThrough(new DecoderStream('shift_jis'))`. */
export declare class DecoderStream extends TransformStream<Bytes, string> {
  constructor(encoding?: Label, options?: ConversionOptions);
}

/** An {@link Encoder} as a web stream. */
export declare class EncoderStream extends TransformStream<string, Uint8Array<ArrayBuffer>> {
  constructor(encoding?: Label, options?: ConversionOptions);
}

/** A {@link Transcoder} as a web stream. */
export declare class TranscoderStream extends TransformStream<Bytes, Uint8Array<ArrayBuffer>> {
  constructor(from: Label, to?: Label, options?: ConversionOptions);
}

/** The version of the package. */
export declare const version: string;
