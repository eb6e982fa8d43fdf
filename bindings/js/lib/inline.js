import load from './load/inline.js';
import { full } from './full.js';

export { UtfallError } from './error.js';
export const {
  decode, encode, transcode, validate, isValid, problems, encodings, encodingInfo, findEncoding, findBom, imap,
  Transcoder, Decoder, Encoder, TranscoderStream, DecoderStream, EncoderStream, version,
  detect, repair, explain, explainMail, check, characterName,
} = full(load);
