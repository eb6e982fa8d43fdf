import load from '#charsets';
import { api } from './api.js';
import { Engine } from './engine.js';

export { UtfallError } from './error.js';
export const {
  decode, encode, transcode, validate, isValid, problems, encodings, encodingInfo, findEncoding, findBom, imap,
  Transcoder, Decoder, Encoder, TranscoderStream, DecoderStream, EncoderStream, version,
} = api(new Engine(load));
