"""Verifies the signatures of passkeys: ES256 (FIPS 186-5 on P-256) and RS256 (RFC 8017, section 8.2.2)."""

import hashlib

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
BASE = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)
SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")


def add(a, b):
    if a is None or b is None:
        return b if a is None else a
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = (3 * a[0] * a[0] - 3) * pow(2 * a[1], P - 2, P) % P
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], P - 2, P) % P
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def multiplied(scalar, point):
    result = None
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return result


def integers(der):
    """The two numbers of a DER sequence, or None."""
    numbers, rest = [], der[2:]
    if len(der) < 8 or der[0] != 0x30 or der[1] != len(rest) or der[1] > 127:
        return None
    while rest:
        if len(rest) < 3 or rest[0] != 2 or not 1 <= rest[1] <= len(rest) - 2:
            return None
        raw, rest = rest[2:2 + rest[1]], rest[2 + rest[1]:]
        if raw[0] > 127 or (len(raw) > 1 and raw[0] == 0 and raw[1] < 128):
            return None
        numbers.append(int.from_bytes(raw, "big"))
    return numbers if len(numbers) == 2 else None


def es256(x, y, message, signature):
    numbers = integers(signature)
    if numbers is None or not all(0 < number < N for number in numbers):
        return False
    if not (x < P and y < P and (y * y - x * x * x + 3 * x - B) % P == 0):
        return False
    (r, s), digest = numbers, int.from_bytes(hashlib.sha256(message).digest(), "big")
    w = pow(s, N - 2, N)
    point = add(multiplied(digest * w % N, BASE), multiplied(r * w % N, (x, y)))
    return point is not None and point[0] % N == r


def rs256(modulus, exponent, message, signature):
    length = (modulus.bit_length() + 7) // 8
    number = int.from_bytes(signature, "big")
    if len(signature) != length or number >= modulus:
        return False
    digest = SHA256 + hashlib.sha256(message).digest()
    padded = b"\x00\x01" + b"\xff" * (length - len(digest) - 3) + b"\x00" + digest
    return pow(number, exponent, modulus).to_bytes(length, "big") == padded
