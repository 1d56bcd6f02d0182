#!/usr/bin/env python3
"""Verifies a chain of signed events with public data only. See docs/reference/events.md.

    python3 verify.py events.json signing-keys.json [options]

Needs Python 3.8; with the package `cryptography` it is about fifty times faster, without it pure_ed25519.py beside it.
events.json: a page of GET /api/agent/v1/policy/events?order=asc, an array of such pages in order, or an array of rows.
"""

import argparse
import base64
import hashlib
import json
import re
import sys

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    Ed25519PublicKey = None
    sys.dont_write_bytecode = True
    import pure_ed25519

HEX = re.compile(r"[0-9a-f]{64}\Z")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z\Z")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
FORBIDDEN = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
KINDS = {"ips.created", "ips.amended", "key.minted", "key.revoked", "key.rotated", "guardrail.decision",
         "policy.drift_detected", "policy.drift_cleared", "broker.trade_observed", "signing_key.rotated"}
ROW = {"v", "userId", "seq", "eventId", "eventType", "createdAt", "payload", "payloadHash", "prevHash",
       "signingKeyId", "hash", "signature"}
HEAD = {"v", "userId", "seq", "hash", "issuedAt", "signingKeyId", "signature"}


class Broken(Exception):
    def __init__(self, why, seq=None):
        super().__init__(why)
        self.seq = seq


def require(condition, why):
    if not condition:
        raise Broken(why)


def is_integer(value):
    return type(value) is int and abs(value) < 2**53


def matches(pattern, value):
    return isinstance(value, str) and pattern.match(value) is not None


def base64url(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def decoded(text, length):
    """Bytes of base64url that has one text only, or None."""
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (TypeError, ValueError):
        return None
    return raw if len(raw) == length and base64url(raw) == text else None


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


def read(file):
    """JSON that refuses a member that comes twice."""
    def once(pairs):
        members = dict(pairs)
        require(len(members) == len(pairs), f"a member comes twice in {file}")
        return members
    with open(file, encoding="utf-8") as text:
        return json.load(text, object_pairs_hook=once)


def signed(key, message, signature):
    public, message, raw = decoded(key["x"], 32), message.encode("utf-8"), decoded(signature, 64)
    if raw is None or Ed25519PublicKey is None:
        return raw is not None and pure_ed25519.verify(public, message, raw)
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(raw, message)
        return True
    except (InvalidSignature, ValueError):
        return False


def without(members, *names):
    return {name: value for name, value in members.items() if name not in names}


def is_lost(key):
    return key.get("revocationReason") == "compromise"


class Keys:
    """The keys of a manifest, by what they may do."""

    def __init__(self, manifest, purpose, root):
        self.all, self.purpose, self.root = {}, purpose, root
        for key in manifest["keys"]:
            require(decoded(key["x"], 32) is not None and key["kty"] == "OKP" and key["crv"] == "Ed25519"
                    and base64url(sha256(canonical({n: key[n] for n in ("crv", "kty", "x")})).digest()) == key["kid"],
                    f"the key {key['kid']} is not the one its id names")
            self.all[key["kid"]] = key
        if manifest.get("signature"):
            key = self.all.get(manifest["signature"]["keyId"])
            message = "agent-policy/manifest/v1\n" + canonical(without(manifest, "signature"))
            require(key and key["purpose"] in ("anchor", "root") and key["status"] != "revoked"
                    and signed(key, message, manifest["signature"]["value"]),
                    "the manifest is not signed by its anchor or root key")

    def signer(self, kid):
        key = self.all.get(kid) if isinstance(kid, str) else None
        return key if key and key["purpose"] == self.purpose else None

    def attested(self, key, vouches):
        message = "agent-policy/key/v1\n" + canonical({n: key[n] for n in ("kid", "x", "purpose", "validFrom")})
        return any(voucher and vouches(voucher) and not is_lost(voucher) and signed(voucher, message, a["signature"])
                   for a in key.get("attestations", []) for voucher in [self.all.get(a["byKeyId"])])

    def by_root(self, key):
        return self.attested(key, lambda v: v["purpose"] == "root" and self.root in (None, v["kid"]))

    def by_key(self, key, kid):
        return self.attested(key, lambda v: v is self.signer(kid))


class Chain:
    """How far a chain has been verified."""

    def __init__(self, keys, seq, last, kid, time):
        self.keys, self.user, self.doubt = keys, None, 0
        self.seq, self.hash, self.kid, self.time, self.hashes = seq, last, kid, time, {seq: last}

    def contents(self, row):
        require(isinstance(row, dict) and set(row) == ROW, "the row does not have exactly the members of a row")
        require(type(row["v"]) is int and row["v"] == 1, "the row is of another version")
        require(matches(UUID, row["userId"]) and matches(UUID, row["eventId"]) and row["eventType"] in KINDS
                and matches(TIME, row["createdAt"]) and is_integer(row["seq"])
                and all(matches(HEX, row[n]) for n in ("payloadHash", "prevHash", "hash"))
                and decoded(row["signingKeyId"], 32) is not None and decoded(row["signature"], 64) is not None,
                "a member of the row is malformed")
        require(self.user in (None, row["userId"]), "the row belongs to another user")
        require(row["seq"] == self.seq + 1, f"the row should be number {self.seq + 1}")
        require(row["prevHash"] == self.hash, "the row does not follow the row before it")
        require(row["createdAt"] >= self.time, "the row is older than the row before it")
        if row["payload"] is not None:
            require(isinstance(row["payload"], dict), "the payload is no object")
            payload = canonical(row["payload"])
            require(len(payload.encode("utf-8")) <= 65536, "the payload is too large")
            require(sha256("agent-policy/payload/v1\n" + payload).hexdigest() == row["payloadHash"],
                    "the payload does not have its hash")
        header = canonical(without(row, "payload", "hash", "signature"))
        require(sha256("agent-policy/event/v1\n" + header).hexdigest() == row["hash"], "the row does not have its hash")

    def rotation(self, row):
        p, keys = row["payload"], self.keys
        old = self.kid or (p or {}).get("oldKeyId")
        require(p is not None and p.get("oldKeyId") == old, "the key rotation is not from the key that signed so far")
        require(p.get("reason") == "scheduled"
                or (p.get("reason") == "compromise" and is_integer(p.get("trustedThroughSeq"))),
                "the key rotation is malformed")
        new = keys.signer(p.get("newKeyId"))
        require(new and new["x"] == p.get("newPublicKey"), "the new key is not in the manifest for this kind of chain")
        proof = f"agent-policy/key-proof/v1\n{row['userId']}\n{old}\n{p['newKeyId']}\n{row['prevHash']}\n"
        require(signed(new, proof, p.get("newKeyProof")), "the new key is not proven to be in the hands of the service")
        if p["reason"] == "compromise":
            require(not is_lost(new) and keys.by_root(new),
                    "the new key of an emergency is not attested by a root key")
        return p

    def step(self, row):
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
            if rotated["trustedThroughSeq"] < self.seq:
                raise Broken("the operator does not vouch for this row of a compromised key",
                             rotated["trustedThroughSeq"] + 1)
            doubt = 0
        elif rotated:
            since = keys.signer(rotated["oldKeyId"]).get("compromisedSince")
            if since and row["createdAt"] <= since and not is_lost(keys.signer(rotated["newKeyId"])):
                doubt = 0
        self.user, self.seq, self.hash, self.time = row["userId"], row["seq"], row["hash"], row["createdAt"]
        self.doubt = doubt
        self.kid = rotated["newKeyId"] if rotated else expected
        self.hashes[self.seq] = self.hash

    def end(self, receipts):
        if self.doubt:
            raise Broken("the row was signed by a compromised key and nothing vouches for it", self.doubt)
        for seq, receipt in receipts.items():
            if seq > self.seq:
                raise Broken("the chain ends here, but a later row was given out earlier", self.seq + 1)
            if self.hashes.get(seq, receipt) != receipt:
                raise Broken("the row is not the one whose hash was given out earlier", seq)

    def head(self, head, upto, before):
        """What came with a page: signed by any key of the chain, not behind the page, and as the rows turned out."""
        require(isinstance(head, dict) and set(head) == HEAD and head["v"] == 1 and is_integer(head["seq"])
                and matches(HEX, head["hash"]) and matches(TIME, head["issuedAt"]), "the head is malformed")
        require(self.user in (None, head["userId"]), "the head is that of another user")
        require(head["seq"] >= upto, "the head is behind the rows")
        require(self.hashes.get(head["seq"], head["hash"]) == head["hash"], "the head has another hash than the row")
        if before and head["seq"] < before["seq"] and head["issuedAt"] >= before["issuedAt"]:
            raise Broken("the chain ends here, but a head before named a later row", head["seq"] + 1)
        key = self.keys.signer(head["signingKeyId"])
        require(key and signed(key, "agent-policy/head/v1\n" + canonical(without(head, "signature")), head["signature"]),
                "the head is not signed by a key of this manifest")
        return key

    def last_head(self, head, key, issued_since):
        require(head["issuedAt"] >= issued_since, "the head is too old")
        may = self.kid in (None, key["kid"]) or self.keys.by_key(key, self.kid) or self.keys.by_root(key)
        require(may and not is_lost(key), "the head is not signed by the key of the chain or by one it vouches for")


def arguments():
    parser = argparse.ArgumentParser(description="Verifies a chain of signed events with public data only.")
    parser.add_argument("events")
    parser.add_argument("keys")
    parser.add_argument("--purpose", choices=["event", "sandbox"], default="event", help="which keys may sign")
    parser.add_argument("--pin", metavar="KID", help="the key that must sign the first row")
    parser.add_argument("--root", metavar="KID", help="the only root key to trust in an emergency")
    parser.add_argument("--from", dest="start", metavar="SEQ,HASH,KID,TIME", help="last row of an earlier verification")
    parser.add_argument("--receipt", action="append", default=[], metavar="SEQ:HASH", help="a row the service named")
    parser.add_argument("--issued-since", default="", metavar="TIME", help="the oldest head that is fresh enough")
    # A key id may begin with a hyphen, which argparse takes for a value only after an equals sign.
    return parser.parse_args(re.sub(r"(?m)^(--pin|--root)\n", r"\1=", "\n".join(sys.argv[1:])).splitlines())


def main():
    options = arguments()
    place, heads = 1, []
    try:
        events = read(options.events)
        keys = Keys(read(options.keys), options.purpose, options.root)
        receipts = dict((int(seq), digest) for seq, digest in (r.split(":") for r in options.receipt))
        seq, last, kid, time = (options.start or f"0,{'0' * 64},,").split(",")
        chain = Chain(keys, int(seq), last, kid or options.pin, time)
        for part in events if isinstance(events, list) else [events]:
            is_page = isinstance(part, dict) and "events" in part
            for row in part["events"] if is_page else [part]:
                seq = row.get("seq") if isinstance(row, dict) else None
                place = seq if is_integer(seq) else chain.seq + 1
                chain.step(row)
            if is_page and part.get("head"):
                heads.append((part["head"], chain.seq))
        chain.end(receipts)
        key, before = None, None
        for head, upto in heads:
            place = head.get("seq", chain.seq)
            key, before = chain.head(head, upto, before), head
        if heads:
            chain.last_head(before, key, options.issued_since)
    except Broken as broken:
        print(f"broken at seq {place if broken.seq is None else broken.seq}: {broken}")
        return 1
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as unreadable:
        print(f"broken at seq {place}: unreadable ({type(unreadable).__name__}: {unreadable})")
        return 1
    print(f"ok {len(chain.hashes) - 1} rows, head {chain.hash}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
