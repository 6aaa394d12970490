// Blind signatures, RSABSSA-SHA384-PSS-Randomized of RFC 9474: what the browser does of it.
//
// The server signs a message that it cannot read: it sees m·r^e, with r drawn here. Without r the
// signature of m and what the server saw fit any two messages alike.

import { hex } from "./report.js";

const EXPONENT = 65537n;
const SALT = 48; // as long as a hash

export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const toNumber = (bytes) => BigInt(`0x${hex(bytes)}`);
const toBytes = (number, length) => unhex(number.toString(16).padStart(2 * length, "0"));
const drawn = (length) => crypto.getRandomValues(new Uint8Array(length));
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const hashed = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-384", bytes));

function power(base, exponent, modulus) {
  let result = 1n;
  for (; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
}

// The number that gives 1 when multiplied with this one; nothing where there is none.
function inverse(number, modulus) {
  let [before, now, factorBefore, factor] = [modulus, number, 0n, 1n];
  while (now > 0n) {
    const times = before / now;
    [before, now] = [now, before - times * now];
    [factorBefore, factor] = [factor, factorBefore - times * factor];
  }
  return before === 1n ? ((factorBefore % modulus) + modulus) % modulus : null;
}

// MGF1 of RFC 8017: as many bytes as wanted that follow from a seed.
async function mask(seed, length) {
  const parts = [];
  for (let i = 0; i * SALT < length; i++) parts.push(await hashed(joined(seed, toBytes(BigInt(i), 4))));
  return joined(...parts).slice(0, length);
}

// EMSA-PSS-ENCODE of RFC 8017, for a modulus of whole bytes: one bit fewer than the modulus.
async function encoded(message, length, salt) {
  const hash = await hashed(joined(new Uint8Array(8), await hashed(message), salt));
  const block = joined(new Uint8Array(length - 2 * SALT - 2), [1], salt);
  const masked = (await mask(hash, block.length)).map((byte, i) => byte ^ block[i]);
  masked[0] &= 0x7f;
  return joined(masked, hash, [0xbc]);
}

// Prepare: random bytes before what is to be signed, so that it cannot be guessed.
export const prepare = (message, prefix = drawn(32)) => joined(prefix, message);

// Blind: what the server signs, and what turns its signature into the message's; all in
// hexadecimal digits. `modulus` is the server's public key.
export async function blind(modulus, message, salt = drawn(SALT), given = null) {
  const n = BigInt(`0x${modulus}`);
  const length = modulus.length / 2;
  const m = toNumber(await encoded(message, length, salt));
  if (inverse(m, n) === null) throw new RangeError("invalid input");
  for (;;) {
    const r = given ?? toNumber(drawn(length + 16)) % n; // 16 bytes more: as good as even
    const back = inverse(r, n);
    if (back === null) continue;
    const blinded = (m * power(r, EXPONENT, n)) % n;
    return { blinded: hex(toBytes(blinded, length)), inverse: hex(toBytes(back, length)) };
  }
}

// Finalize: the signature of the message; it is checked, and a wrong one throws.
export async function finalize(modulus, message, blindSignature, back) {
  const n = BigInt(`0x${modulus}`);
  const length = modulus.length / 2;
  if (blindSignature.length !== modulus.length) throw new RangeError("unexpected input size");
  const signature = toBytes((BigInt(`0x${blindSignature}`) * BigInt(`0x${back}`)) % n, length);
  const n64 = btoa(String.fromCharCode(...unhex(modulus)));
  const key = await crypto.subtle.importKey(
    "jwk",
    { kty: "RSA", e: "AQAB", n: n64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") },
    { name: "RSA-PSS", hash: "SHA-384" }, false, ["verify"],
  );
  const right = await crypto.subtle.verify({ name: "RSA-PSS", saltLength: SALT }, key, signature, message);
  if (!right) throw new RangeError("invalid signature");
  return hex(signature);
}
