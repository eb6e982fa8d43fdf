import type { Transform, TransformOptions } from 'node:stream';

/** Options of decoders. */
export interface DecodeOptions extends Omit<TransformOptions, 'defaultEncoding'> {
  /** Whether to remove a BOM, or a function to call if there is one. Default: true. */
  stripBOM?: boolean | (() => void);
  /** The encoding of `utf-16` or `utf-32` without a BOM. */
  defaultEncoding?: string;
}

/** Options of encoders. */
export interface EncodeOptions extends Omit<TransformOptions, 'defaultEncoding'> {
  /** Whether to write a BOM. Default: false; true for `utf-16` and `utf-32`. */
  addBOM?: boolean;
  /** The byte order of `utf-32`. */
  defaultEncoding?: string;
}

export interface EncoderStream {
  write(text: string): Buffer;
  end(): Buffer | undefined;
}

export interface DecoderStream {
  write(bytes: Uint8Array): string;
  end(): string | undefined;
}

export interface Codec {
  encoder: new (options?: EncodeOptions, codec?: Codec) => EncoderStream;
  decoder: new (options?: DecodeOptions, codec?: Codec) => DecoderStream;
  bomAware?: boolean;
  [field: string]: unknown;
}

/** A stream with `collect`, which passes all of the output to a function. */
export interface Collecting<Output> extends Transform {
  collect(callback: (error: Error | null, output: Output) => void): this;
}

/** The API of iconv-lite. */
export interface Iconv {
  /** Encodes a string. Characters that the encoding lacks become `?`. */
  encode(text: string, encoding: string, options?: EncodeOptions): Buffer;
  /** Decodes bytes. Invalid ones become U+FFFD. */
  decode(bytes: Uint8Array, encoding: string, options?: DecodeOptions): string;
  encodingExists(encoding: string): boolean;
  toEncoding: Iconv['encode'];
  fromEncoding: Iconv['decode'];
  getCodec(encoding: string): Codec;
  getEncoder(encoding: string, options?: EncodeOptions): EncoderStream;
  getDecoder(encoding: string, options?: DecodeOptions): DecoderStream;
  encodeStream(encoding: string, options?: EncodeOptions): Collecting<Buffer>;
  decodeStream(encoding: string, options?: DecodeOptions): Collecting<string>;
  enableStreamingAPI(stream: { Transform: typeof Transform }): void;
  _canonicalizeEncoding(encoding: string): string;
  encodings: Record<string, unknown> | null;
  defaultCharUnicode: string;
  defaultCharSingleByte: string;
  skipDecodeWarning: boolean;
  readonly supportsStreams: boolean;
}

declare const iconv: Iconv;
export default iconv;
export declare const encode: Iconv['encode'];
export declare const decode: Iconv['decode'];
export declare const encodingExists: Iconv['encodingExists'];
export declare const toEncoding: Iconv['encode'];
export declare const fromEncoding: Iconv['decode'];
export declare const getCodec: Iconv['getCodec'];
export declare const getEncoder: Iconv['getEncoder'];
export declare const getDecoder: Iconv['getDecoder'];
export declare const encodeStream: Iconv['encodeStream'];
export declare const decodeStream: Iconv['decodeStream'];
export declare const enableStreamingAPI: Iconv['enableStreamingAPI'];
export declare const _canonicalizeEncoding: Iconv['_canonicalizeEncoding'];
export { iconv as 'module.exports' };
/** The name in utfall of the encoding behind a name of iconv-lite: `latin5` is `ISO-8859-9/glibc`. Not in iconv-lite. */
export declare function encodingName(encoding: string): string | undefined;
