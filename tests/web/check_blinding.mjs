// Does one step of blind signatures with the browser's script, or with an independent one, and
// prints what it gives: node check_blinding.mjs FOLDER STEP JSON

import { webcrypto } from "node:crypto";
import { pathToFileURL } from "node:url";

globalThis.crypto ??= webcrypto;

const [folder, task, text] = process.argv.slice(2);
const given = JSON.parse(text);
const { blind, finalize, prepare } = await import(pathToFileURL(`${folder}/blinding.js`));
const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (bytes) => Buffer.from(bytes).toString("hex");

function inverse(number, modulus) {
  let [a, b, x, y] = [number, modulus, 1n, 0n];
  while (b) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return ((x % modulus) + modulus) % modulus;
}

const theirs = async () => (await import("@cloudflare/blindrsa-ts")).RSABSSA.SHA384.PSS.Randomized();
const base64 = (digits) => Buffer.from(digits.length % 2 ? `0${digits}` : digits, "hex").toString("base64url");
const key = (more, uses) => crypto.subtle.importKey(
  "jwk", { kty: "RSA", n: base64(given.n), e: "AQAB", ...more }, { name: "RSA-PSS", hash: "SHA-384" }, true, uses,
);

const STEPS = {
  async printed() {
    const message = prepare(unhex(given.msg), unhex(given.msg_prefix));
    const n = BigInt(`0x${given.n}`);
    const r = inverse(BigInt(`0x${given.inv}`), n);
    const made = await blind(given.n, message, unhex(given.salt), r);
    const sig = await finalize(given.n, message, given.blind_sig, made.inverse);
    return { input_msg: hex(message), blinded_msg: made.blinded, inv: made.inverse, sig };
  },
  async blind() {
    const message = prepare(unhex(given.message));
    return { prepared: hex(message), ...(await blind(given.n, message)) };
  },
  async finalize() {
    try {
      return { signature: await finalize(given.n, unhex(given.prepared), given.signed, given.inverse) };
    } catch (error) {
      return { refused: error.message };
    }
  },
  async "their blind"() {
    const suite = await theirs();
    const message = suite.prepare(unhex(given.message));
    const { blindedMsg, inv } = await suite.blind(await key({}, ["verify"]), message);
    return { prepared: hex(message), blinded: hex(blindedMsg), inverse: hex(inv) };
  },
  async "their finalize"() {
    const suite = await theirs();
    const arguments_ = [given.prepared, given.signed, given.inverse].map(unhex);
    return { signature: hex(await suite.finalize(await key({}, ["verify"]), ...arguments_)) };
  },
  async "their sign"() {
    const suite = await theirs();
    return { signed: hex(await suite.blindSign(await key(given.private, ["sign"]), unhex(given.blinded))) };
  },
};

console.log(JSON.stringify(await STEPS[task]()));
