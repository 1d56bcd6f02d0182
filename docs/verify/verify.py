#!/usr/bin/env python3
"""Verifies a chain of signed events with public data only. See docs/verify.md.

    python3 verify.py events.json... signing-keys.json [options]        (--help lists the options)

Needs Python 3.8 and pure_passkeys.py beside it; with the package `cryptography` it is about fifty times faster, without it
pure_ed25519.py beside it.
events.json: a page of GET /api/agent/v1/policy/events?order=asc, an array of such pages in order, or an array of rows.
Exit code 0: the chain holds. 1: it is broken. 2: no verdict. 3: it holds, and some payloads were erased.
"""

import argparse
import base64
import hashlib
import json
import os
import re
import sys

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    Ed25519PublicKey = None
    sys.dont_write_bytecode = True
    import pure_ed25519
import pure_passkeys

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
FORBIDDEN = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
TOKEN = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")|[{}[\]]')
ERASABLE_ALONE = {"guardrail.decision", "policy.drift_detected", "policy.drift_cleared", "broker.trade_observed"}


class Broken(Exception):
    def __init__(self, why, seq=None):
        super().__init__(why)
        self.seq = seq


class NoVerdict(Exception):
    pass


def require(condition, why, seq=None):
    if not condition:
        raise Broken(why, seq)


# The types and forms of docs/verify/forms.txt. "=" gives the form of a text, and ":" the members of an object: "?" may be
# absent or null, "..." allows others, [x] is a list, =x is that text alone, [=x] is a list of it.
TABLE = """
uuid        = [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}
hash        = [0-9a-f]{64}
key         = [A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]
signature   = [A-Za-z0-9_-]{85}[AQgw]
bytes       = ([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{4}|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]|[A-Za-z0-9_-][AQgw])
day         = [0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))
leap        = ([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29
time        = (<day>|<leap>)T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{6}Z
host        = [a-z0-9.-]{1,253}
origin      = (https://<host>|http://localhost)(:[0-9]{1,5})?
kind        = ips[.](created|amended)|key[.](minted|revoked|rotated)|guardrail[.]decision|policy[.]drift_(detected|cleared)|broker[.]trade_observed|signing_key[.]rotated
purpose     = event|sandbox|anchor|root|log
later       = [a-z][a-z0-9_-]{0,31}
status      = pending|active|retired|revoked
cause       = compromise|superseded
reason      = scheduled|compromise
receipt     = [0-9]{1,15}[: ]+<hash>
place       = [0-9]{1,15},<hash>,<key>,<time>
row         : v:one userId:uuid seq:positive eventId:uuid eventType:kind createdAt:time payload:object|null payloadHash:hash prevHash:hash signingKeyId:key hash:hash signature:signature
head        : v:one userId:uuid seq:count hash:hash issuedAt:time signingKeyId:key signature:signature
erasure     : userId:uuid seq:positive hash:hash erasedAt:time reason:text signingKeyId:key signature:signature
erasures    : userId:uuid throughSeq:positive hash:hash erasedAt:time reason:text signingKeyId:key signature:signature
page        : events:[any] erasures?:[any] head?:head nextCursor?:cursor ...
manifest    : issuer:text manifestVersion:count updatedAt:time scheme:scheme keys:[signer] signature?:sealed
scheme      : event:=agent-policy/event/v1 canonicalization:=RFC8785 hash:=SHA-256 signature:=Ed25519
signer      : kty:=OKP crv:=Ed25519 x:key kid:key use:=sig alg:=Ed25519 key_ops:[=verify] purpose:purpose status:status validFrom:time validUntil:time|null revokedAt:time|null revocationReason:cause|null compromisedSince:time|null attestations:[attestation]
attestation : byKeyId:key signature:signature
sealed      : keyId:key value:signature
rotation    : salt:text oldKeyId:key newKeyId:key newPublicKey:key reason:reason newKeyProof:signature trustedThroughSeq?:count
credential  : credentialId:bytes ...
passkey     : credentialId:bytes rpId:host publicKey:object ...
ES256       : kty:=EC alg:=ES256 crv:=P-256 x:key y:key
EdDSA       : kty:=OKP alg:=EdDSA crv:=Ed25519 x:key
RS256       : kty:=RSA alg:=RS256 n:bytes e:bytes
accepted    : accepted:true attested:attested|together passkey:assertion ...
attested    : userId:uuid serviceRequestId:count trade:object custodian:text|null ipsVersion:count|null portfolioRevision:count decisionHash:hash expiresAt:time nonce:text
together    : userId:uuid requests:[request] ipsVersion:count|null portfolioRevision:count expiresAt:time nonce:text
request     : serviceRequestId:count trade:object custodian:text|null decisionHash:hash
confirmed   : ipsVersion:positive previousIpsVersion:count|null document:object scheduledAt?:time confirmation:signed ...
signed      : attested:change passkey:assertion
change      : userId:uuid kind:=ips previousIpsVersion:count|null documentHash:hash expiresAt:time nonce:text
assertion   : credentialId:bytes authenticatorData:bytes clientDataJSON:bytes signature:bytes
client      : crossOrigin?:truth ...
state       : userId:uuid seq:count hash:hash signingKeyId:key createdAt:time firstKeyId?:key anchorKeyId?:key rootKeyId?:key manifestVersion:count erasedRows?:count
header      : v:one userId:uuid seq:positive eventId:uuid eventType:kind createdAt:time payloadHash:hash prevHash:hash signingKeyId:key hash:hash signature:signature
logged      : userId:uuid seq:positive commitment:key rows:[header]
"""
FORMS = {}
for name, kind, rest in re.findall(r"(?m)^(\S+) +([=:]) (.*)$", TABLE):
    FORMS[name] = ([member.split(":") for member in rest.split(" ")] if kind == ":" else
                   re.compile(re.sub(r"<(\w+)>", lambda of: f"(?:{FORMS[of[1]].pattern})", rest)))
CHECKS = {
    "any": lambda value: True,
    "null": lambda value: value is None,
    "one": lambda value: is_integer(value) and value == 1,
    "true": lambda value: value is True,
    "truth": lambda value: isinstance(value, bool),
    "count": lambda value: is_integer(value) and value >= 0,
    "positive": lambda value: is_integer(value) and value >= 1,
    "text": lambda value: isinstance(value, str) and 1 <= len(value) <= 500 and not FORBIDDEN.search(value),
    "cursor": lambda value: isinstance(value, str) and value != "",
    "object": lambda value: isinstance(value, dict),
}


def is_integer(value):
    return type(value) is int and abs(value) < 2**53


def is_of(form, value):
    """Whether a value has a form of the table."""
    if "|" in form:
        return any(is_of(one, value) for one in form.split("|"))
    if form.startswith("[="):
        return value == [form[2:-1]]
    if form.startswith("["):
        return isinstance(value, list) and all(is_of(form[1:-1], item) for item in value)
    if form.startswith("="):
        return value == form[1:]
    if form in CHECKS:
        return CHECKS[form](value)
    if isinstance(FORMS[form], list):
        return has_members(FORMS[form], value)
    return isinstance(value, str) and FORMS[form].fullmatch(value) is not None


def has_members(members, value):
    names = [member[0].replace("?", "") for member in members]
    if not isinstance(value, dict) or not ("..." in names or set(value) <= set(names)):
        return False
    return all(name == "..." or (member[0] != name and value.get(name) is None)
               or (name in value and is_of(member[1], value[name])) for name, member in zip(names, members))


def base64url(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def decoded(text):
    """The bytes of a text of the form bytes."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def sha256(text):
    return hashlib.sha256(text.encode("utf-8"))


def canonical(value, depth=0):
    """RFC 8785 in the profile of the documentation; raises outside of it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        require(not FORBIDDEN.search(value), "a text has control characters or broken Unicode")
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if not isinstance(value, (dict, list)):
        require(is_integer(value), "a number is not an integer of at most 2^53-1")
        return str(value)
    require(depth < 8, "the payload nests too deep")
    if isinstance(value, list):
        return "[" + ",".join(canonical(item, depth + 1) for item in value) + "]"
    require(all(NAME.match(name) for name in value), "a member name is not allowed")
    return "{" + ",".join(f'"{name}":{canonical(value[name], depth + 1)}' for name in sorted(value)) + "}"


def parsed(raw, complaints):
    """One JSON document in UTF-8 without a byte order mark, at most 64 deep. What lies outside of the profile is noted."""
    text = raw.decode("utf-8")

    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            complaints.append("a member comes twice")
        return dict(pairs)

    def number(digits):
        if not re.fullmatch("0|-?[1-9][0-9]{0,15}", digits) or not is_integer(int(digits)):
            complaints.append("a number is not an integer of at most 2^53-1")
            return 0
        return int(digits)

    def nothing(word):
        raise ValueError(f"{word} is not JSON")

    document = json.loads(text, object_pairs_hook=once, parse_int=number, parse_float=number, parse_constant=nothing)
    depth = 0
    for token in TOKEN.finditer(text):
        if token[1] is None:
            depth += 1 if token[0] in "{[" else -1
            if depth > 64:
                raise ValueError("it nests too deep")
        elif "\\u" in token[1] and re.search("[\ud800-\udfff]", json.loads(token[1])):
            complaints.append("a text has broken Unicode")
    return document


def read(file, complaints, is_list=False):
    """Reads a file that holds an object, or objects."""
    try:
        with open(file, "rb") as content:
            document = parsed(content.read(), complaints)
    except (OSError, ValueError, RecursionError) as unreadable:
        raise NoVerdict(f"{file} cannot be read: {unreadable}") from unreadable
    if is_of("object", document) or (is_list and is_of("[object]", document)):
        return document
    raise NoVerdict(f"{file} holds no object")


def read_exactly(form, file, why):
    """Reads a file of an option, which is in the profile or none."""
    complaints = []
    document = read(file, complaints)
    if complaints or not is_of(form, document):
        raise NoVerdict(why)
    return document


def signed(key, message, signature):
    return signed_bytes(decoded(key["x"]), message.encode("utf-8"), decoded(signature))


def signed_bytes(public, message, raw):
    if len(raw) != 64:
        return False
    if Ed25519PublicKey is None:
        return pure_ed25519.verify(public, message, raw)
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(raw, message)
        return True
    except (InvalidSignature, ValueError):
        return False


def without(members, *names):
    return {name: value for name, value in members.items() if name not in names}


def is_lost(key):
    return key.get("revocationReason") == "compromise"


def is_before_theft(key, time):
    since = key.get("compromisedSince")
    return not is_lost(key) or (since is not None and since >= time)


def vouches(voucher, key, signature):
    """Whether one key vouches for another."""
    message = "agent-policy/key/v1\n" + canonical({n: key[n] for n in ("kid", "x", "purpose", "validFrom")})
    return signed(voucher, message, signature)


def of_now(manifest):
    """The manifest without the keys of purposes that only a later version knows."""
    def is_later(key):
        purpose = key.get("purpose") if isinstance(key, dict) else None
        return is_of("later", purpose) and not is_of("purpose", purpose)
    keys = manifest.get("keys") if isinstance(manifest, dict) else None
    return {**manifest, "keys": [k for k in keys if not is_later(k)]} if isinstance(keys, list) else manifest


class Keys:
    """The keys of a manifest that is signed by a known key, or by one that a known key vouches for."""

    def __init__(self, manifest, purpose, known, trust):
        self.all, self.purpose, self.root = {}, purpose, known["root"]
        require(is_of("manifest", of_now(manifest)), "the manifest is malformed")
        for key in of_now(manifest)["keys"]:
            require(base64url(sha256(canonical({n: key[n] for n in ("crv", "kty", "x")})).digest()) == key["kid"],
                    f"the key {key['kid']} is not the one its id names")
            is_revoked = key["status"] == "revoked"
            require(is_revoked == (key["revokedAt"] is not None) == (key["revocationReason"] is not None),
                    "the manifest is malformed")
            require(key["kid"] not in self.all, f"the key {key['kid']} is listed twice")
            self.all[key["kid"]] = key
        require(manifest.get("signature"), "the manifest is not signed")
        by, message = manifest["signature"]["keyId"], canonical(without(manifest, "signature"))
        key = self.all.get(by)
        require(key and key["purpose"] in ("anchor", "root") and key["status"] != "revoked"
                and signed(key, "agent-policy/manifest/v1\n" + message, manifest["signature"]["value"]),
                "the manifest is not signed by its anchor or root key")
        if by not in (known["anchor"], known["root"]):
            voucher = self.voucher(by, known)
            require(voucher or (known["anchor"] is None and key["purpose"] == "anchor"),
                    "the manifest is signed by another key than the anchor key that is known")
            trust.add(f"attested by {voucher}" if voucher else "trusted on first use", f"anchor key {by}")
        self.anchor = known["anchor"] if by == known["root"] else by

    def voucher(self, kid, known):
        """The known key that vouches for an anchor key, itself or through anchor keys in between."""
        vouched, before = {k: k for k in (known["anchor"], known["root"]) if k}, -1
        while before < len(vouched):
            before = len(vouched)
            for key in self.all.values():
                for a in key["attestations"] if key["purpose"] == "anchor" else []:
                    voucher = self.all.get(a["byKeyId"])
                    if (voucher and voucher["kid"] in vouched and voucher["purpose"] in ("anchor", "root")
                            and voucher["status"] != "revoked" and vouches(voucher, key, a["signature"])):
                        vouched.setdefault(key["kid"], vouched[voucher["kid"]])
        return vouched.get(kid)

    def signer(self, kid):
        key = self.all.get(kid) if isinstance(kid, str) else None
        return key if key and key["purpose"] == self.purpose else None

    def attested(self, key, voucher):
        return voucher is not None and not is_lost(voucher) and any(
            a["byKeyId"] == voucher["kid"] and vouches(voucher, key, a["signature"]) for a in key["attestations"])

    def by_root(self, key):
        root = self.all.get(self.root)
        return self.attested(key, root if root and root["purpose"] == "root" else None)

    def by_key(self, key, kid):
        return self.attested(key, self.signer(kid))

    def signed_head(self, head):
        key = self.signer(head["signingKeyId"])
        message = "agent-policy/head/v1\n" + canonical(without(head, "signature"))
        return key if key and signed(key, message, head["signature"]) else None


def check_form(row):
    """Checks that a row has its form, and a payload in the profile."""
    require(is_of("row", row), "the row does not have the members of a row")
    if row["payload"] is not None:
        require(len(canonical(row["payload"]).encode("utf-8")) <= 65536, "the payload is too large")


class Chain:
    """How far a chain has been verified."""

    def __init__(self, user, seq, last, kid, time):
        self.user, self.doubt, self.keys = user, 0, None
        self.seq, self.hash, self.kid, self.time, self.hashes = seq, last, kid, time, {seq: last}
        self.erased, self.reached, self.erased_by, self.ends = 0, {kid}, {}, {}

    def contents(self, row):
        require(self.user in (None, row["userId"]), "the row belongs to another user")
        require(row["seq"] == self.seq + 1, f"the row should be number {self.seq + 1}")
        require(row["prevHash"] == self.hash, "the row does not follow the row before it")
        require(row["createdAt"] >= self.time, "the row is older than the row before it")
        if row["payload"] is not None:
            require(sha256("agent-policy/payload/v1\n" + canonical(row["payload"])).hexdigest() == row["payloadHash"],
                    "the payload does not have its hash")
        header = canonical(without(row, "payload", "hash", "signature"))
        require(sha256("agent-policy/event/v1\n" + header).hexdigest() == row["hash"], "the row does not have its hash")

    def rotation(self, row):
        p, keys = row["payload"], self.keys
        require(is_of("rotation", p) and (p["reason"] == "scheduled" or is_of("count", p.get("trustedThroughSeq"))),
                "the key rotation is malformed")
        old = self.kid or p["oldKeyId"]
        require(p["oldKeyId"] == old, "the key rotation is not from the key that signed so far")
        new = keys.signer(p["newKeyId"])
        require(new and new["x"] == p["newPublicKey"], "the new key is not in the manifest for this kind of chain")
        proof = f"agent-policy/key-proof/v1\n{row['userId']}\n{old}\n{p['newKeyId']}\n{row['prevHash']}\n"
        require(signed(new, proof, p["newKeyProof"]), "the new key is not proven to be in the hands of the service")
        if p["reason"] == "compromise":
            require(keys.root, "the key rotation is an emergency, and no root key was given to vouch for it")
            require(not is_lost(new) and keys.by_root(new),
                    "the new key of an emergency is not attested by the root key that was given")
        return p

    def explains(self, entry, row):
        """Whether an entry says why a row has no payload: of its user, place, hash and kind, signed before any theft."""
        name = "throughSeq" if isinstance(entry, dict) and "throughSeq" in entry else "seq"
        if not is_of("erasure" if name == "seq" else "erasures", entry):
            return False
        covers = (entry[name] == row["seq"] and row["eventType"] in ERASABLE_ALONE if name == "seq"
                  else entry[name] >= row["seq"] and row["eventType"] != "signing_key.rotated")
        key = self.keys.signer(entry["signingKeyId"])
        message = "agent-policy/erasure/v1\n" + canonical(without(entry, "signingKeyId", "signature"))
        return (entry["userId"] == row["userId"] and covers and key is not None
                and (entry[name] > row["seq"] or entry["hash"] == row["hash"])
                and is_before_theft(key, entry["erasedAt"]) and signed(key, message, entry["signature"]))

    def erase(self, row, entries):
        """A row without a payload needs a signed erasure; what that still owes is settled where the chain ends."""
        require(self.ends.pop(row["seq"], row["hash"]) == row["hash"], "the row is not the one that an erasure names")
        if row["payload"] is not None:
            return
        entry = next((e for e in entries if self.explains(e, row)), None)
        require(entry, "the payload is missing, and no signed erasure explains it")
        self.erased += 1
        self.erased_by.setdefault(entry["signingKeyId"], row["seq"])
        if entry.get("throughSeq", 0) > row["seq"]:
            require(self.ends.setdefault(entry["throughSeq"], entry["hash"]) == entry["hash"],
                    "two erasures name two rows for one place")

    def step(self, row, entries):
        self.contents(row)
        keys = self.keys
        rotated = self.rotation(row) if row["eventType"] == "signing_key.rotated" else None
        emergency = rotated is not None and rotated["reason"] == "compromise"
        expected = rotated["newKeyId"] if emergency else self.kid or row["signingKeyId"]
        require(row["signingKeyId"] == expected, "the row is signed by another key than the chain expects")
        signer = keys.signer(expected)
        require(signer, "the key that signed is not in the manifest for this kind of chain")
        require(signed(signer, f"agent-policy/event-sig/v1\n{row['hash']}\n", row["signature"]),
                "the signature does not verify")
        doubt = self.doubt or (row["seq"] if is_lost(signer) else 0)
        if emergency:
            require(rotated["trustedThroughSeq"] >= self.seq,
                    "the operator does not vouch for this row of a compromised key", rotated["trustedThroughSeq"] + 1)
            doubt = 0
        elif rotated:
            since = keys.signer(rotated["oldKeyId"]).get("compromisedSince")
            if since is not None and row["createdAt"] <= since and not is_lost(keys.signer(rotated["newKeyId"])):
                doubt = 0
        self.user, self.seq, self.hash, self.time = row["userId"], row["seq"], row["hash"], row["createdAt"]
        self.doubt = doubt
        self.kid = rotated["newKeyId"] if rotated else expected
        self.hashes[self.seq] = self.hash
        self.reached |= {row["signingKeyId"], self.kid}
        self.erase(row, entries)

    def end(self, receipts):
        require(not self.doubt, "the row was signed by a compromised key and nothing vouches for it", self.doubt)
        for kid, seq in self.erased_by.items():
            require(kid in self.reached, "the erasure of the row is signed by a key that the chain does not reach", seq)
        require(not self.ends, "the chain ends here, but an erasure names a later row", self.seq + 1)
        for seq, receipt in receipts.items():
            require(seq <= self.seq, "the chain ends here, but a later row was given out earlier", self.seq + 1)
            require(self.hashes.get(seq, receipt) == receipt,
                    "the row is not the one whose hash was given out earlier", seq)

    def head(self, head, upto, before):
        """What came with a page: signed by any key of the chain, not behind the page, and as the rows turned out."""
        require(self.user in (None, head["userId"]), "the head is that of another user")
        require(head["seq"] >= upto, "the head is behind the rows")
        require(self.hashes.get(head["seq"], head["hash"]) == head["hash"], "the head has another hash than the row")
        require(not before or head["seq"] >= before["seq"] or head["issuedAt"] < before["issuedAt"],
                "the chain ends here, but a head before named a later row", head["seq"] + 1)
        key = self.keys.signed_head(head)
        require(key, "the head is not signed by a key of this manifest")
        self.hashes[head["seq"]] = head["hash"]
        return key

    def last_head(self, head, last, key, is_end, issued_since):
        """The heads at the end: if no page follows the last one, every row must be there that any of them names."""
        first = self.seq + 1
        rows = f"row {first} is" if first == last else f"rows {first} to {last} are"
        require(not is_end or last <= self.seq, f"{rows} missing, the signed head names row {last}", first)
        require(head["seq"] >= self.seq, "the head is behind the rows", head["seq"])
        require(head["issuedAt"] >= issued_since, "the head is too old")
        may = self.kid in (None, key["kid"]) or self.keys.by_key(key, self.kid) or self.keys.by_root(key)
        require(may and not is_lost(key), "the head is not signed by the key of the chain or by one it vouches for")


# The points of small order, with which anybody can sign, and encodings of numbers that are not below the prime.
WEAK_ED25519 = re.compile("0[01](00){30}[08]0|26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc[08]5|"
                          "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03[7f]a|(e[c-f]|f.)(ff){30}[7f]f")


class Passkey:
    """A passkey as it was minted."""

    def __init__(self, payload):
        require(is_of("passkey", payload), "the passkey is malformed")
        jwk, self.rp = payload["publicKey"], payload["rpId"]
        self.alg, numbers = jwk.get("alg"), {"ES256": "xy", "EdDSA": "x", "RS256": "ne"}
        require(isinstance(self.alg, str) and self.alg in numbers and is_of(self.alg, jwk), "the passkey is malformed")
        self.numbers = [decoded(jwk[name]) for name in numbers[self.alg]]
        require(self.fits(*self.numbers), "the passkey is malformed")

    def fits(self, first, second=b""):
        """Whether the numbers are those that a passkey may have."""
        if self.alg == "EdDSA":
            return len(first) == 32 and not WEAK_ED25519.fullmatch(first.hex())
        if self.alg == "ES256":
            return len(first) == len(second) == 32 and pure_passkeys.is_on_curve(
                int.from_bytes(first, "big"), int.from_bytes(second, "big"))
        return all(number and number[0] and number[-1] & 1 for number in (first, second)) and (
            2048 <= int.from_bytes(first, "big").bit_length() <= 4096 and len(second) <= 4 and second != b"\x01")

    def signed(self, message, signature):
        if self.alg == "EdDSA":
            return signed_bytes(self.numbers[0], message, signature)
        check = pure_passkeys.es256 if self.alg == "ES256" else pure_passkeys.rs256
        return check(*(int.from_bytes(number, "big") for number in self.numbers), message, signature)

    def refused(self, assertion, challenge):
        """Why an assertion is no signature of a verified user over a challenge, or None if it is one."""
        authenticator, client, signature = (
            decoded(assertion[name]) for name in ("authenticatorData", "clientDataJSON", "signature"))
        complaints = []
        try:
            said = parsed(client, complaints)
        except (ValueError, RecursionError):
            said = None
        if len(authenticator) < 37 or not is_of("client", said) or complaints:
            return "it cannot be read"
        if said.get("type") != "webauthn.get":
            return "it is no assertion"
        if said.get("challenge") != challenge:
            return "it is for another challenge"
        origin = said.get("origin")
        if said.get("crossOrigin") or not is_of("origin", origin) or re.split("://|:", origin)[1] != self.rp:
            return "it was made at another origin"
        if sha256(self.rp).digest() != authenticator[:32]:
            return "it was made for another relying party"
        if authenticator[32] & 5 != 5:
            return "the authenticator did not verify the user"
        message = authenticator + hashlib.sha256(client).digest()
        return None if self.signed(message, signature) else "its signature is wrong"


class Signatures:
    """The acceptances and changes that a person signed. In a chain that is continued, what they refer to may be unknown."""

    def __init__(self, whole):
        self.whole = self.keys_known = whole
        self.requests, self.versions, self.unchecked = [], [], 0
        self.passkeys, self.revoked, self.proposals = {}, {}, {}
        self.erased, self.used = set(), set()

    def row(self, row):
        payload, kind = row["payload"], row["eventType"]
        if payload is None:
            self.keys_known = self.keys_known and not kind.startswith("key.")
            if kind == "guardrail.decision":
                self.erased.add(row["hash"])
        elif kind.startswith("key.") and payload.get("keyClass") == "passkey":
            self.key(row, payload, kind)
        elif kind.startswith("ips.") and "confirmation" in payload:
            self.change(row, payload)
        elif kind == "guardrail.decision":
            if payload.get("kind") == "propose" and is_of("count", payload.get("serviceRequestId")):
                self.proposals[payload["serviceRequestId"]] = row["hash"]
            answer = payload.get("attestation")
            if isinstance(answer, dict) and ("attested" in answer or "passkey" in answer):
                self.acceptance(row, payload, answer)

    def key(self, row, payload, kind):
        require(is_of("credential", payload), "the passkey is malformed")
        name = payload["credentialId"]
        if kind == "key.revoked":
            known = self.passkeys.pop(name, None)
            require(known or not self.keys_known, "a passkey is revoked that was never minted")
            if known:
                self.revoked[name] = known, row["createdAt"]
            return
        require(kind == "key.minted", "the passkey is malformed")
        minted = Passkey(payload)
        require(name not in self.passkeys, "the passkey is minted a second time")
        self.passkeys[name] = minted

    def acceptance(self, row, payload, answer):
        require(payload.get("kind") == "attestation" and is_of("accepted", answer), "the signature of the passkey is malformed")
        attested, assertion = answer["attested"], answer["passkey"]
        same = {n: payload.get(n, "") for n in ("serviceRequestId", "trade")}
        asked = canonical(same["serviceRequestId"])
        request = next((r for r in attested.get("requests", [attested]) if canonical(r["serviceRequestId"]) == asked), None)
        version = payload.get("ipsVersion", "")
        require(attested["userId"] == row["userId"] and request and canonical({n: request[n] for n in same}) == canonical(same)
                and row["createdAt"] < attested["expiresAt"]
                and (version is None or canonical(version) == canonical(attested["ipsVersion"])),
                "the passkey signed something else than is recorded")
        challenge = self.challenge("attestation", attested, request["serviceRequestId"])
        proposal = self.proposals.get(request["serviceRequestId"])
        is_erased = request["decisionHash"] in self.erased
        require(proposal == request["decisionHash"] if proposal else not self.whole or is_erased,
                "the passkey signed another decision than that of the proposal")
        known = self.passkeys.get(assertion["credentialId"])
        require(known or not self.keys_known,
                "the acceptance is signed with a passkey that this chain does not have at that time")
        if not known or not (proposal or is_erased):
            self.unchecked += 1
            return
        why = known.refused(assertion, challenge)
        require(why is None, f"the acceptance is not signed by its passkey: {why}")
        self.requests.append(request["serviceRequestId"])

    def change(self, row, payload):
        require(is_of("confirmed", payload), "the signature of the passkey is malformed")
        attested, assertion = payload["confirmation"]["attested"], payload["confirmation"]["passkey"]
        document = without(payload["document"], "approvals", "paused", "drawdownSince")
        scheduled = payload.get("scheduledAt")
        require(attested["userId"] == row["userId"] and attested["documentHash"] == sha256(canonical(document)).hexdigest()
                and (attested["previousIpsVersion"] or 0) <= (payload["previousIpsVersion"] or 0)
                and (scheduled or row["createdAt"]) < attested["expiresAt"],
                "the passkey signed another change than is recorded")
        challenge = self.challenge("change", attested)
        known = self.passkeys.get(assertion["credentialId"])
        before, revoked_at = self.revoked.get(assertion["credentialId"], (None, ""))
        if not known and scheduled and revoked_at >= scheduled:
            known = before
        require(known or not self.keys_known,
                "the change is signed with a passkey that this chain does not have at that time")
        if not known:
            self.unchecked += 1
            return
        why = known.refused(assertion, challenge)
        require(why is None, f"the change is not signed by its passkey: {why}")
        self.versions.append(payload["ipsVersion"])

    def challenge(self, what, attested, of=None):
        challenge = base64url(sha256(f"agent-policy/{what}/v1\n" + canonical(attested)).digest())
        require((challenge, of) not in self.used, "the signature of the passkey was used before")
        self.used.add((challenge, of))
        return challenge

    def __str__(self):
        def named(what, numbers):
            more = f" and {len(numbers) - 20} more" if len(numbers) > 20 else ""
            return f", {what}: {', '.join(map(str, numbers[:20]))}{more}" if numbers else ""
        return (named("signed by passkey", self.requests) + named("policy versions signed by passkey", self.versions)
                + (f", passkey signatures not checked: {self.unchecked}" if self.unchecked else ""))


# Texts of C2SP tlog-proof: a number, base64, a hash, the name of a key, and a line.
NUMBER, HASH, NAME_OF_KEY, LINE = "(?:0|[1-9][0-9]{0,14})", "[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=", r"[^\s\x00-\x1f+]+", "[^\\x00-\\x1f]+\n"
BASE64 = "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)"
PROOF = re.compile(f"c2sp[.]org/tlog-proof@v1\nextra ({BASE64})\nindex ({NUMBER})\n((?:{HASH}\n){{0,63}})\n"
                   f"(({LINE})({NUMBER})\n({HASH})\n(?:{LINE})*)\n((?:\u2014 {NAME_OF_KEY} {BASE64}\n){{1,100}})")
VERIFIER_KEY = re.compile(f"({NAME_OF_KEY})[+]([0-9a-f]{{8}})[+]({BASE64})")


class NoteKey:
    """A key that signs notes: 1 is the type of a log's, 4 that of a witness; no signature of another type is checked."""

    def __init__(self, name, kind, key):
        self.name, self.kind, self.key = name, kind, key
        self.id = hashlib.sha256(f"{name}\n".encode() + bytes([kind]) + key).digest()[:4]

    def signed(self, text, line):
        """Whether a signature line is this key's; a forged one breaks the note."""
        name, value = line.split(" ")[1:]
        raw = base64.b64decode(value)
        if self.kind not in (1, 4) or name != self.name or raw[:4] != self.id:
            return False
        start = 12 if self.kind == 4 else 4
        time = f"cosignature/v1\ntime {int.from_bytes(raw[4:start], 'big')}\n" if self.kind == 4 else ""
        require(len(raw) == start + 64 and signed_bytes(self.key, (time + text).encode(), raw[start:]),
                "a signature of the checkpoint is wrong")
        return True


def note_key(text):
    """Reads a verifier key; raises ValueError when it is none."""
    match = VERIFIER_KEY.fullmatch(text)
    raw = base64.b64decode(match[3]) if match else b""
    if len(raw) < 2 or (raw[0] in (1, 4) and len(raw) != 33):
        raise ValueError
    key = NoteKey(match[1], raw[0], raw[1:])
    if key.kind in (1, 4) and key.id.hex() != match[2]:
        raise ValueError
    return key


class Policy:
    """A file of C2SP tlog-policy: logs, and by their names witnesses and groups, of which one is the quorum."""

    def __init__(self, raw):
        self.logs, self.parties, self.quorum, self.used = [], {}, None, set()
        for line in raw.decode("latin-1").split("\n"):
            words = re.findall("[^ \t]+", line)
            if re.search(r"[\x00-\x08\x0a-\x1f\x7f]", line):
                raise ValueError
            if words and words[0][0] != "#":
                self.take(*words)
        if self.quorum is None or any(len({key.key for key in keys}) < len(keys) for keys in (self.logs, self.witnesses())):
            raise ValueError

    def take(self, word, name, *more):
        utf8 = lambda text: text.encode("latin-1").decode("utf-8")
        is_new = name != "none" and name not in self.parties
        if word == "log" and len(more) < 2:
            self.logs.append(note_key(utf8(name)))
        elif word == "witness" and 1 <= len(more) <= 2 and is_new and note_key(utf8(more[0])).kind != 1:
            self.parties[name] = note_key(utf8(more[0]))
        elif word == "group" and len(more) > 1 and is_new and set(more[1:]) <= set(self.parties):
            least = {"all": len(more) - 1, "any": 1}.get(more[0]) or int(re.fullmatch("[1-9][0-9]{0,8}", more[0])[0])
            if least >= len(more) or len(set(more[1:])) < len(more) - 1 or self.used & set(more[1:]):
                raise ValueError
            self.used |= set(more[1:])
            self.parties[name] = least, more[1:]
        elif word == "quorum" and not more and self.quorum is None and (name == "none" or not is_new):
            self.quorum = name
        else:
            raise ValueError

    def witnesses(self):
        return [party for party in self.parties.values() if isinstance(party, NoteKey)]

    def is_met(self, cosigned, name):
        party = self.parties.get(name)
        return name == "none" or party in cosigned or (
            isinstance(party, tuple) and sum(self.is_met(cosigned, member) for member in party[1]) >= party[0])


def climb(index, size, leaf, hashes):
    """The root above a leaf (RFC 9162, section 2.1.3.2), or None when there are too many or too few hashes."""
    last = size - 1
    if index > last:
        return None
    for sibling in hashes:
        if last == 0:
            return None
        if index & 1 or index == last:
            leaf = hashlib.sha256(b"\x01" + sibling + leaf).digest()
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            leaf = hashlib.sha256(b"\x01" + leaf + sibling).digest()
        index, last = index >> 1, last >> 1
    return leaf if last == 0 else None


def read_raw(file):
    try:
        with open(file, "rb") as content:
            return content.read()
    except OSError as unreadable:
        raise NoVerdict(f"{file} cannot be read") from unreadable


class Logged:
    """A proof that a row is in the transparency log, and the policy that says who must have seen it there."""

    def __init__(self, proof, policy):
        complaints = []
        try:
            self.policy = None
            if policy:
                self.policy = Policy(read_raw(policy))
        except (ValueError, TypeError) as malformed:
            raise NoVerdict(f"{policy} is no policy") from malformed
        try:
            match = PROOF.fullmatch(read_raw(proof).decode("utf-8"))
            extra, self.index, hashes, self.text, self.origin, self.size, self.root, self.lines = match.groups()
            self.extra = parsed(base64.b64decode(extra), complaints)
        except (ValueError, AttributeError) as malformed:
            raise NoVerdict(f"{proof} is no proof") from malformed
        if complaints or not is_of("logged", self.extra) or not self.extra["rows"]:
            raise NoVerdict(f"{proof} is no proof")
        self.hashes = [base64.b64decode(line) for line in hashes.split()]

    def check(self, chain, begin):
        seq, rows = self.extra["seq"], self.extra["rows"]
        if seq < begin:
            raise NoVerdict("the row of the proof was verified before; leave out --save and --from")
        require(self.extra["userId"] == chain.user, "the proof is for another user", seq)
        for i, row in enumerate(rows):
            header = canonical(without(row, "hash", "signature"))
            require(row["seq"] == seq + i and row["userId"] == chain.user
                    and (i == 0 or row["prevHash"] == rows[i - 1]["hash"])
                    and sha256("agent-policy/event/v1\n" + header).hexdigest() == row["hash"],
                    "the rows of the proof do not follow each other", seq)
        require(seq <= chain.seq, "the chain ends here, but there is a proof of a later row", chain.seq + 1)
        for row in rows:
            require(chain.hashes.get(row["seq"], row["hash"]) == row["hash"], "the row is not the one that was logged",
                    row["seq"])
        logs = (self.policy.logs if self.policy else []) or [
            NoteKey(self.origin[:-1], 1, decoded(key["x"])) for key in chain.keys.all.values()
            if key["purpose"] == "log" and key["status"] != "revoked"]
        lines = self.lines.splitlines()
        by = [key for key in logs if key.name == self.origin[:-1] and [1 for line in lines if key.signed(self.text, line)]]
        require(by, "the checkpoint of the proof is not signed by the log", seq)
        entry = decoded(self.extra["commitment"]) + bytes.fromhex(rows[-1]["hash"])
        root = climb(int(self.index), int(self.size), hashlib.sha256(b"\0" + entry).digest(), self.hashes)
        require(root == base64.b64decode(self.root), "the row of the proof is not in the log", seq)
        if not self.policy:
            return f", in the log at index {self.index}, witnesses not checked"
        witnesses = self.policy.witnesses()
        cosigned = [key for key in witnesses if [1 for line in lines if key.signed(self.text, line)]]
        said = f"witnessed by {len(cosigned)} of {len(witnesses)}"
        require(self.policy.is_met(cosigned, self.policy.quorum), f"the checkpoint is {said}, which is no quorum", seq)
        return f", in the log at index {self.index}, {said}"


class Trust:
    """Names the keys the verdict rests on, and how each of them came to be trusted."""

    def __init__(self):
        self.groups = {"pinned": [], "saved": []}

    def known(self, role, given, saved):
        if given or saved:
            self.add("pinned" if given else "saved", f"{role} {given or saved}")

    def add(self, group, key):
        self.groups.setdefault(group, []).append(key)

    def __str__(self):
        return "; ".join(f"{group}: {', '.join(keys)}" for group, keys in self.groups.items() if keys) or "no key known"


def arguments():
    parser = argparse.ArgumentParser(description="Verifies a chain of signed events with public data only.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="the events, and last the keys")
    parser.add_argument("--purpose", choices=["event", "sandbox"], default="event", help="which keys may sign")
    parser.add_argument("--pin", metavar="KID", help="the key that must have signed the first row")
    parser.add_argument("--anchor", metavar="KID", help="the key that signed the manifest, or vouched for that key")
    parser.add_argument("--root", metavar="KID", help="the root key; no emergency rotation holds without it")
    parser.add_argument("--save", metavar="FILE", help="keep there where this ended, and go on from it the next time")
    parser.add_argument("--from", dest="start", metavar="SEQ,HASH,KID,TIME", help="last row of an earlier verification")
    parser.add_argument("--receipt", action="append", default=[], metavar="SEQ:HASH", help="a row the service named")
    parser.add_argument("--receipts", metavar="FILE", help="the same from a file, one a line")
    parser.add_argument("--head", action="append", default=[], metavar="FILE", help="a signed head you kept")
    parser.add_argument("--tlog-proof", metavar="FILE", help="a proof that a row of the chain is in the transparency log")
    parser.add_argument("--policy", metavar="FILE", help="which witnesses must have cosigned the checkpoint of the proof")
    parser.add_argument("--issued-since", default="", metavar="TIME", help="the oldest head that is fresh enough")
    # A key id may begin with a hyphen, which argparse takes for a value only after an equals sign.
    words = re.sub(r"(?m)^(--pin|--anchor|--root)\n", r"\1=", "\n".join(sys.argv[1:])).splitlines()
    options = parser.parse_args(words)
    if len(options.files) < 2:
        raise NoVerdict("give the files of the events, and last that of the keys")
    if options.issued_since and not is_of("time", options.issued_since):
        raise NoVerdict("--issued-since needs a time")
    if options.policy and not options.tlog_proof:
        raise NoVerdict("--policy needs --tlog-proof")
    options.logged = Logged(options.tlog_proof, options.policy) if options.tlog_proof else None
    if options.start and options.pin:
        raise NoVerdict("--from names the key itself; leave out --pin")
    if not all(kid is None or is_of("key", kid) for kid in (options.pin, options.anchor, options.root)):
        raise NoVerdict("--pin, --anchor and --root need the id of a key")
    if options.start is not None and not is_of("place", options.start):
        raise NoVerdict("--from must be SEQ,HASH,KID,TIME of a row")
    if options.start is not None:
        seq, *others = options.start.split(",")
        options.start = [None, int(seq), *others]
    options.named = [receipt(line) for line in options.receipt + lines(options.receipts) if line.strip(" \t\r")]
    options.heads = [read_exactly("head", file, "a file of --head is no head") for file in options.head]
    return options


def lines(file):
    try:
        return open(file, encoding="utf-8", newline="").read().split("\n") if file else []
    except (OSError, ValueError) as unreadable:
        raise NoVerdict(f"{file} cannot be read") from unreadable


def receipt(line):
    text = line.replace("\t", " ").replace("\r", " ").strip(" ")
    if not is_of("receipt", text):
        raise NoVerdict(f"a receipt must be SEQ:HASH, not {line}")
    seq, digest = re.split("[: ]+", text)
    return int(seq), digest


def read_saved(options):
    """Where an earlier run ended and which keys it trusted, or nothing."""
    if not options.save or not os.path.exists(options.save):
        return {}
    saved = read_exactly("state", options.save, f"{options.save} is not a file of --save; move it away to begin anew")
    if options.start:
        raise NoVerdict("the file of --save says where to go on; leave out --from")
    if options.pin and not saved.get("firstKeyId"):
        raise NoVerdict("the file of --save does not know the first key; leave out --pin")
    return saved


def write_saved(file, chain, keys, known, version, erased):
    state = {"userId": chain.user, "seq": chain.seq, "hash": chain.hash, "signingKeyId": chain.kid,
             "createdAt": chain.time, "firstKeyId": known["first"], "anchorKeyId": keys.anchor,
             "rootKeyId": known["root"], "manifestVersion": version, "erasedRows": erased}
    with open(file + ".new", "w", encoding="utf-8") as out:
        out.write(canonical(state) + "\n")
    os.replace(file + ".new", file)


def receipts_of(options, saved, keys):
    """What the service named before: receipts, kept heads, and where the last verification ended."""
    receipts = {}
    heads = [(head["seq"], head["hash"]) for head in options.heads]
    for seq, digest in options.named + heads + ([(saved["seq"], saved["hash"])] if saved else []):
        require(receipts.setdefault(seq, digest) == digest,
                "two rows were given out for this place; keep both, they prove it", seq)
    for head in options.heads:
        key = keys.signed_head(head)
        require(key and is_before_theft(key, head["issuedAt"]),
                "the head that was kept is not signed by a key of this manifest", head["seq"])
    return receipts


def main(options):
    saved = read_saved(options)
    known = {"first": options.pin or saved.get("firstKeyId"), "anchor": options.anchor or saved.get("anchorKeyId"),
             "root": options.root or saved.get("rootKeyId")}
    trust = Trust()
    trust.known(f"{options.purpose} key", options.pin or (options.start and options.start[3]), saved.get("firstKeyId"))
    trust.known("anchor key", options.anchor, saved.get("anchorKeyId"))
    trust.known("root key", options.root, saved.get("rootKeyId"))
    start = options.start or [None, 0, "0" * 64, known["first"], ""]
    if saved:
        start = [saved[n] for n in ("userId", "seq", "hash", "signingKeyId", "createdAt")]
    chain, place, ends, last_seen, begin, named = Chain(*start), 1, [], None, start[1], 0
    signatures = Signatures(begin == 0)
    try:
        complaints = []
        pages = [read(file, complaints, True) for file in options.files[:-1]]
        parts = [part for page in pages for part in (page if isinstance(page, list) else [page])]
        manifest = read(options.files[-1], complaints)
        if not parts:
            raise NoVerdict("there is no page to verify")
        require(not complaints, complaints and complaints[0])
        chain.keys = keys = Keys(manifest, options.purpose, known, trust)
        version = manifest["manifestVersion"]
        require(version >= saved.get("manifestVersion", 0), "the manifest is older than one that was seen before")
        require(not saved or known["first"] == saved.get("firstKeyId"),
                "the row is signed by another key than the chain expects")
        receipts = receipts_of(options, saved, keys)
        for part in parts:
            is_page = "events" in part
            require(not is_page or is_of("page", {**part, "head": None, "nextCursor": None}), "the page is malformed", chain.seq + 1)
            for row in part["events"] if is_page else [part]:
                seq = row.get("seq") if isinstance(row, dict) else None
                place = last_seen = seq if is_integer(seq) else chain.seq + 1
                check_form(row)
                if chain.seq == begin and 1 <= place <= begin:
                    require(place < begin or row["hash"] == chain.hash, "the row is not the one that was verified before")
                    continue
                is_first = chain.seq == 0 and not chain.kid
                chain.step(row, part.get("erasures") or [] if is_page else [])
                signatures.row(row)
                if is_first:
                    known["first"] = row["signingKeyId"]
                    trust.add("trusted on first use", f"{options.purpose} key {known['first']}")
            if is_page:
                is_seen = last_seen is not None and last_seen < begin
                ends.append((part.get("head"), part.get("nextCursor"), chain.seq, is_seen))
        place = 1
        require(last_seen is not None or any(end[0] is not None for end in ends), "there is neither a row nor a head")
        require(last_seen is None or last_seen >= begin,
                "the chain ends here, but was longer when it was verified before", (last_seen or 0) + 1)
        chain.end(receipts)
        key, before = None, None
        for head, cursor, upto, is_seen in ends:
            require(cursor is None or is_of("cursor", cursor), "the cursor is malformed", chain.seq)
            require(head is None or is_of("head", head), "the head is malformed", chain.seq)
            place = head["seq"] if head else chain.seq
            if head is not None and not (is_seen and head["seq"] <= begin):
                key, before, named = chain.head(head, upto, before), head, max(named, head["seq"])
        if before:
            chain.last_head(before, named, key, not is_page or cursor is None, options.issued_since)
        place = options.logged.extra["seq"] if options.logged else 1
        logged = options.logged.check(chain, begin) if options.logged else ""
    except Broken as broken:
        print(f"broken at seq {place if broken.seq is None else broken.seq}: {broken} [{trust}]")
        return 1
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as unreadable:
        print(f"broken at seq {place}: unreadable ({type(unreadable).__name__}: {unreadable}) [{trust}]")
        return 1
    erased = chain.erased + (saved.get("erasedRows") or 0)
    print(f"ok {chain.seq} rows, head {chain.hash}{f', {erased} erased' if erased else ''}{signatures}{logged} [{trust}]")
    if named > chain.seq:
        print(f"The log goes on: the signed head names row {named}.")
    if options.save and chain.kid:
        write_saved(options.save, chain, keys, known, version, erased)
    return 3 if erased else 0


if __name__ == "__main__":
    try:
        sys.exit(main(arguments()))
    except (NoVerdict, Broken) as reason:  # of an option or of the saved file
        print(f"verify: {reason}", file=sys.stderr)
        sys.exit(2)
