/** Bytes, as in the Encoding Standard. */
export type BufferSource = ArrayBufferLike | ArrayBufferView;

/** Options of decoders. */
export interface TextDecoderOptions {
  /** Throw a TypeError for invalid input instead of writing U+FFFD. */
  fatal?: boolean;
  /** Keep a BOM. */
  ignoreBOM?: boolean;
}

/** Options of encoders. */
export interface TextEncoderOptions {
  /** Throw a TypeError for a character that the encoding lacks instead of writing `&#N;`, as forms do. */
  fatal?: boolean;
}

/**
 * The decoder of the Encoding Standard, for every encoding. Labels of the web have the meaning of the web; others are
 * those of `utfall`.
 */
export declare class TextDecoder {
  /** @throws {RangeError} if the label is unknown. */
  constructor(label?: string, options?: TextDecoderOptions);
  /** The name, in lower case. */
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** @throws {TypeError} if the input is invalid and `fatal` is set. */
  decode(input?: BufferSource, options?: { stream?: boolean }): string;
}

/** An encoder like that of the Encoding Standard, for every encoding. */
export declare class TextEncoder {
  /** @throws {RangeError} if the label is unknown. */
  constructor(label?: string, options?: TextEncoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  encode(input?: string): Uint8Array<ArrayBuffer>;
  /** Writes as many characters as fit. `read` counts code units, `written` bytes. */
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}

/** {@link TextDecoder} as a stream. */
export declare class TextDecoderStream {
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<BufferSource>;
}

/** {@link TextEncoder} as a stream. */
export declare class TextEncoderStream {
  constructor(label?: string, options?: TextEncoderOptions);
  readonly encoding: string;
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<string>;
}
