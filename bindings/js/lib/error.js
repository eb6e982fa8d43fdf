/** Why a function of utfall failed. `utfall.d.ts` describes the fields. */
export class UtfallError extends Error {
  constructor(message, code, details) {
    super(message);
    this.name = 'UtfallError';
    this.code = code;
    Object.assign(this, details);
  }
}

export const INVALID_TEXT = 'ERR_UTFALL_INVALID_TEXT';
export const UNENCODABLE = 'ERR_UTFALL_UNENCODABLE';
export const UNKNOWN_ENCODING = 'ERR_UTFALL_UNKNOWN_ENCODING';
export const INVALID_OPTION = 'ERR_UTFALL_INVALID_OPTION';
export const CLOSED = 'ERR_UTFALL_CLOSED';
export const BUG = 'ERR_UTFALL_BUG';
