// Node's TextDecoder and TextEncoder, as a peer of `utfall-conformance`. `src/peer.rs` describes the
// format of the pipes.
import { readSync, writeSync } from "node:fs";

const NONE = 0xffffffff;

function read(length) {
    const octets = Buffer.alloc(length);
    let at = 0;
    while (at < length) {
        let got;
        try {
            got = readSync(0, octets, at, length - at);
        } catch (error) {
            if (error.code === "EAGAIN") continue;
            if (error.code === "EOF") return null;
            throw error;
        }
        if (got === 0) return null;
        at += got;
    }
    return octets;
}

function write(octets) {
    for (let at = 0; at < octets.length; ) {
        try {
            at += writeSync(1, octets, at);
        } catch (error) {
            if (error.code !== "EAGAIN") throw error;
        }
    }
}

function head(status, length) {
    const octets = Buffer.alloc(13);
    octets.writeUInt8(status, 0);
    octets.writeUInt32LE(NONE, 1);
    octets.writeUInt32LE(NONE, 5);
    octets.writeUInt32LE(length, 9);
    return octets;
}

const notAsked = head(2, 0);
const wrong = head(1, 0);

function points(text) {
    const all = Array.from(text);
    const octets = Buffer.alloc(13 + 4 * all.length);
    head(0, 4 * all.length).copy(octets);
    all.forEach((point, at) => octets.writeUInt32LE(point.codePointAt(0), 13 + 4 * at));
    return octets;
}

function reader(mode, label) {
    if (mode === "e") {
        if (label !== "utf-8") return () => notAsked;
        const encoder = new TextEncoder();
        return (octets) => {
            let text = "";
            for (let at = 0; at < octets.length; at += 4) {
                const point = octets.readUInt32LE(at);
                // It writes U+FFFD for surrogates, which cannot be turned off.
                if (point >= 0xd800 && point < 0xe000) return notAsked;
                text += String.fromCodePoint(point);
            }
            const written = encoder.encode(text);
            return Buffer.concat([head(0, written.length), written]);
        };
    }
    let decoder;
    try {
        decoder = new TextDecoder(label, { fatal: mode !== "r", ignoreBOM: mode !== "m" });
    } catch {
        return () => notAsked;
    }
    return (octets) => {
        try {
            return points(decoder.decode(octets));
        } catch {
            return wrong;
        }
    };
}

write(Buffer.from(`${process.versions.node}, ICU ${process.versions.icu}\n`));
const readers = new Map();
for (let start = read(10); start !== null; start = read(10)) {
    const mode = String.fromCharCode(start.readUInt8(0));
    const label = read(start.readUInt8(1)).toString();
    const count = start.readUInt32LE(2);
    const size = start.readUInt32LE(6);
    const octets = size ? read(size) : Buffer.alloc(0);
    const key = mode + label;
    if (!readers.has(key)) readers.set(key, reader(mode, label));
    const answers = [];
    for (let at = 0, left = count; left > 0; left--) {
        const length = octets.readUInt32LE(at);
        answers.push(readers.get(key)(octets.subarray(at + 4, at + 4 + length)));
        at += 4 + length;
    }
    write(Buffer.concat(answers));
}
