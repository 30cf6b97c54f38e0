/** Decodes UTF-8 without its byte-order mark. Throws `is not UTF-8 text` if a byte is malformed. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error('is not UTF-8 text', { cause });
  }
}
