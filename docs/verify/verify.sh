#!/bin/sh
# Verifies a chain of signed events with public data only; needs openssl 3, jq 1.6, coreutils and iconv, and patience
# (some 50 rows a second). See docs/reference/events.md.
#
#   sh verify.sh events.json signing-keys.json [options]
#
# events.json: a page of GET /api/agent/v1/policy/events?order=asc, an array of such pages in order, or an array of rows.
# --purpose event|sandbox     which keys may sign the chain (event)
# --pin KID                   the key that must sign the first row, known from elsewhere than the manifest
# --root KID                  the only root key to trust in an emergency, known from elsewhere than the manifest
# --from SEQ,HASH,KID,TIME    the last row of an earlier verification; the rows begin after it
# --receipt SEQ:HASH          a row the service once named, in a saved head or a receipt header; may be repeated
# --issued-since TIME         the oldest head that is fresh enough, written YYYY-MM-DDTHH:MM:SS.ffffffZ
set -eu
export LC_ALL=C

usage() {
  echo "usage: sh verify.sh events.json signing-keys.json [--purpose event|sandbox] [--pin KID] [--root KID]" \
    "[--from SEQ,HASH,KID,TIME] [--receipt SEQ:HASH] [--issued-since TIME]" >&2
  exit 2
}

events='' manifest='' purpose=event kid='' root='' receipts='' issued_since=''
seq=0 hash=0000000000000000000000000000000000000000000000000000000000000000 time='' user='' doubt=0 rows=0
while [ $# -gt 0 ]; do
  case $1 in --*) [ $# -ge 2 ] || usage ;; esac
  case $1 in
    --purpose) purpose=$2; shift 2 ;;
    --pin) kid=$2; shift 2 ;;
    --root) root=$2; shift 2 ;;
    --issued-since) issued_since=$2; shift 2 ;;
    --receipt) receipts="$receipts $2"; shift 2 ;;
    --from)
      seq=$(echo "$2" | cut -d, -f1) hash=$(echo "$2" | cut -d, -f2)
      kid=$(echo "$2" | cut -d, -f3) time=$(echo "$2" | cut -d, -f4)
      shift 2 ;;
    --*) usage ;;
    *)
      if [ -z "$events" ]; then events=$1; elif [ -z "$manifest" ]; then manifest=$1; else usage; fi
      shift ;;
  esac
done
[ -n "$manifest" ] || usage
case $purpose in event | sandbox) ;; *) usage ;; esac

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

broken() {
  echo "broken at seq $1: $2"
  exit 1
}

# JSON whose meaning does not depend on who reads it: whole UTF-8, no lone surrogate, no member twice.
plain() {
  iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1 || broken "$((seq + 1))" "$1 is not UTF-8"
  jq -e . "$1" >/dev/null 2>&1 || broken "$((seq + 1))" "$1 is not JSON"
  if sed -E 's/\\\\//g; s/\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}//g' "$1" |
    grep -Eq '\\u[dD][89a-fA-F]'; then
    broken "$((seq + 1))" "a text has broken Unicode in $1"
  fi
  jq -c --stream . "$1" | sort >"$tmp/streamed"
  jq -c tostream "$1" | sort >"$tmp/parsed"
  cmp -s "$tmp/streamed" "$tmp/parsed" || broken "$((seq + 1))" "a member comes twice in $1"
}
plain "$events"
plain "$manifest"

# RFC 8785 in the profile of the documentation.
cat >"$tmp/canonical.jq" <<'JQ'
def canonical:
  if type == "object" then "{" + ([keys[] as $k | ($k | tojson) + ":" + (.[$k] | canonical)] | join(",")) + "}"
  elif type == "array" then "[" + (map(canonical) | join(",")) + "]"
  else tojson end;
def depth: if type == "object" or type == "array" then 1 + ([.[] | depth] | max // 0) else 0 end;
def inProfile: depth <= 8 and ([.. |
  if type == "number" then . == floor and . <= 9007199254740991 and . >= -9007199254740991
  elif type == "string" then explode | all(. >= 32 and . != 127)
  elif type == "object" then keys | all(test("\\A[A-Za-z][A-Za-z0-9_]*\\z"))
  else true end] | all);
def is($form): type == "string" and test("\\A(" + $form + ")\\z");
def uuid: is("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
def hash: is("[0-9a-f]{64}");
def key: is("[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]");
def signature: is("[A-Za-z0-9_-]{85}[AQgw]");
def moment: is("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z");
def integer: type == "number" and . == floor and . >= 0 and . <= 9007199254740991;
def word: if type == "string" and test("\\A[!-~]+\\z") then . else "-" end;
JQ

{ cat "$tmp/canonical.jq"; cat <<'JQ'; } >"$tmp/rows.jq"
def wrong:
  if type != "object" or (keys != ["createdAt","eventId","eventType","hash","payload","payloadHash","prevHash","seq",
    "signature","signingKeyId","userId","v"]) then "the row does not have exactly the members of a row"
  elif .v != 1 then "the row is of another version"
  elif (.seq | integer | not) or (.userId | uuid | not) or (.eventId | uuid | not) or (.createdAt | moment | not)
    or (.payloadHash | hash | not) or (.prevHash | hash | not) or (.hash | hash | not)
    or (.signingKeyId | key | not) or (.signature | signature | not)
    or (.eventType as $t | ["ips.created","ips.amended","key.minted","key.revoked","key.rotated","guardrail.decision",
      "policy.drift_detected","policy.drift_cleared","broker.trade_observed","signing_key.rotated"] | index([$t]) | not)
    then "a member of the row is malformed"
  elif .payload != null and (.payload | type) != "object" then "the payload is no object"
  elif inProfile | not then "a value of the row lies outside of the profile"
  elif (.payload | canonical | utf8bytelength) > 65536 then "the payload is too large"
  else null end;
(if type == "array" then . else [.] end)[] | if type == "object" and has("events") then .events[] else . end
| wrong as $wrong
| if $wrong then "bad \(if type == "object" and (.seq | integer) then .seq else 0 end) \($wrong)"
  else [.seq, .userId, .eventType, .createdAt, .payloadHash, .prevHash, .signingKeyId, .hash, .signature,
    (del(.payload, .hash, .signature) | canonical | @base64),
    (if .payload then .payload | canonical | @base64 else "-" end)]
    + (.payload // {} | [.oldKeyId, .newKeyId, .newPublicKey, .reason, .newKeyProof | word])
    + [.payload.trustedThroughSeq? | if integer then . else "-" end]
    | "row " + (map(tostring) | join(" ")) end
JQ

{ cat "$tmp/canonical.jq"; cat <<'JQ'; } >"$tmp/keys.jq"
(.keys[] | "key \(.kid | word) \(if (.x | key) and .kty == "OKP" and .crv == "Ed25519" then .x else "-" end)"
  + " \(.purpose | word) \(.status | word) \(.revocationReason | word) \(.compromisedSince | word)"),
(.keys[] | . as $key | .attestations // [] | .[] | "attestation \($key.kid) \(.byKeyId | word)"
  + " \($key | {kid, x, purpose, validFrom} | canonical | @base64) \(.signature | word)"),
(if .signature then "manifest \(.signature.keyId | word) \(del(.signature) | canonical | @base64)"
  + " \(.signature.value | word)" else empty end)
JQ

{ cat "$tmp/canonical.jq"; cat <<'JQ'; } >"$tmp/head.jq"
(if type == "array" then . else [.] end)[] | select(type == "object" and .events and .head)
| ([.events[-1].seq // 0] | .[0]) as $upTo | .head
| if type == "object" and keys == ["hash","issuedAt","seq","signature","signingKeyId","userId","v"] and .v == 1
    and (.seq | integer) and (.userId | uuid) and (.hash | hash) and (.issuedAt | moment) and (.signingKeyId | key)
    and (.signature | signature)
  then "\(.seq) \($upTo) \(.userId) \(.hash) \(.issuedAt) \(.signingKeyId) \(.signature) "
    + (del(.signature) | canonical | @base64)
  else "malformed" end
JQ

base64url() {
  base64 | tr -d '\n=' | tr '+/' '-_'
}

before() {
  expr "x$1" '<' "x$2" >/dev/null
}

# is_signed KID SIGNATURE < message: by a key that is in the manifest.
is_signed() {
  cat >"$tmp/message"
  [ -f "$tmp/pem.$1" ] && [ ${#2} -eq 86 ] || return 1
  case $2 in *[!A-Za-z0-9_-]* | *[!AQgw]) return 1 ;; esac
  printf '%s==' "$2" | tr -- '-_' '+/' | base64 -d >"$tmp/signature"
  openssl pkeyutl -verify -pubin -inkey "$tmp/pem.$1" -rawin -in "$tmp/message" -sigfile "$tmp/signature" \
    >/dev/null 2>&1
}

# message PURPOSE BASE64: the text that is hashed or signed.
message() {
  printf 'agent-policy/%s\n' "$1"
  printf '%s' "$2" | base64 -d
}

# Reads a key into x, used_for, status, reason and since.
load() {
  [ -f "$tmp/key.$1" ] && read -r x used_for status reason since <"$tmp/key.$1"
}

is_signer() {
  case $1 in - | '') return 1 ;; esac
  load "$1" && [ "$used_for" = "$purpose" ]
}

is_lost() {
  load "$1" && [ "$reason" = compromise ]
}

# attested KID root|BY: whether a root key, or that very key, vouches for a key.
attested() {
  [ -f "$tmp/attestations.$1" ] || return 1
  while read -r by canonical signature; do
    load "$by" || continue
    [ "$reason" != compromise ] || continue
    if [ "$2" = root ]; then
      [ "$used_for" = root ] && [ "${root:-$by}" = "$by" ] || continue
    else
      [ "$used_for" = "$purpose" ] && [ "$by" = "$2" ] || continue
    fi
    if message key/v1 "$canonical" | is_signed "$by" "$signature"; then return 0; fi
  done <"$tmp/attestations.$1"
  return 1
}

jq -r -f "$tmp/keys.jq" "$manifest" >"$tmp/keys" 2>/dev/null || broken "$((seq + 1))" "the manifest is malformed"
while read -r what a b c d e f; do
  case $what in
    key)
      thumbprint=$(printf '{"crv":"Ed25519","kty":"OKP","x":"%s"}' "$b" | openssl dgst -sha256 -binary | base64url)
      [ "$thumbprint" = "$a" ] || broken "$((seq + 1))" "the key $a is not the one its id names"
      echo "$b $c $d $e $f" >"$tmp/key.$a"
      printf -- '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA%s=\n-----END PUBLIC KEY-----\n' \
        "$(echo "$b" | tr -- '-_' '+/')" >"$tmp/pem.$a" ;;
    attestation)
      echo "$b $c $d" >>"$tmp/attestations.$a" ;;
    manifest)
      load "$a" && [ "$status" != revoked ] && { [ "$used_for" = anchor ] || [ "$used_for" = root ]; } &&
        message manifest/v1 "$b" | is_signed "$a" "$c" ||
        broken "$((seq + 1))" "the manifest is not signed by its anchor or root key" ;;
  esac
done <"$tmp/keys"

# Checks the key rotation of the current row; sets new_kid.
rotation() {
  old_kid=${kid:-$p_old}
  [ "$payload" != - ] && [ "$p_old" = "$old_kid" ] ||
    broken "$row_seq" "the key rotation is not from the key that signed so far"
  [ "$p_reason" = scheduled ] || { [ "$p_reason" = compromise ] && [ "$p_trusted" != - ]; } ||
    broken "$row_seq" "the key rotation is malformed"
  is_signer "$p_new" && [ "$x" = "$p_x" ] ||
    broken "$row_seq" "the new key is not in the manifest for this kind of chain"
  printf 'agent-policy/key-proof/v1\n%s\n%s\n%s\n%s\n' "$row_user" "$old_kid" "$p_new" "$row_prev" |
    is_signed "$p_new" "$p_proof" ||
    broken "$row_seq" "the new key is not proven to be in the hands of the service"
  if [ "$p_reason" = compromise ]; then
    ! is_lost "$p_new" && attested "$p_new" root ||
      broken "$row_seq" "the new key of an emergency is not attested by a root key"
  fi
  new_kid=$p_new
}

echo "$seq $hash" >"$tmp/hashes"
jq -r -f "$tmp/rows.jq" "$events" >"$tmp/rows" 2>/dev/null || broken "$((seq + 1))" "the rows are malformed"
while read -r what row_seq row_user kind row_time payload_hash row_prev row_kid row_hash row_signature header payload \
  p_old p_new p_x p_reason p_proof p_trusted; do
  if [ "$what" = bad ]; then
    [ "$row_seq" != 0 ] || row_seq=$((seq + 1))
    broken "$row_seq" "$(echo "$row_user $kind $row_time $payload_hash $row_prev $row_kid $row_hash $row_signature" \
      "$header $payload $p_old" | sed 's/ *$//')"
  fi
  [ "${user:-$row_user}" = "$row_user" ] || broken "$row_seq" "the row belongs to another user"
  [ "$row_seq" = "$((seq + 1))" ] || broken "$row_seq" "the row should be number $((seq + 1))"
  [ "$row_prev" = "$hash" ] || broken "$row_seq" "the row does not follow the row before it"
  ! before "$row_time" "$time" || broken "$row_seq" "the row is older than the row before it"
  if [ "$payload" != - ]; then
    [ "$(message payload/v1 "$payload" | sha256sum | cut -c1-64)" = "$payload_hash" ] ||
      broken "$row_seq" "the payload does not have its hash"
  fi
  [ "$(message event/v1 "$header" | sha256sum | cut -c1-64)" = "$row_hash" ] ||
    broken "$row_seq" "the row does not have its hash"
  new_kid=''
  expected=${kid:-$row_kid}
  if [ "$kind" = signing_key.rotated ]; then
    rotation
    [ "$p_reason" = scheduled ] || expected=$new_kid
  fi
  [ "$row_kid" = "$expected" ] || broken "$row_seq" "the row is signed by another key than the chain expects"
  is_signer "$row_kid" || broken "$row_seq" "the key that signed is not in the manifest for this kind of chain"
  printf 'agent-policy/event-sig/v1\n%s\n' "$row_hash" | is_signed "$row_kid" "$row_signature" ||
    broken "$row_seq" "the signature does not verify"
  if [ "$doubt" = 0 ] && is_lost "$row_kid"; then doubt=$row_seq; fi
  if [ -n "$new_kid" ] && [ "$p_reason" = compromise ]; then
    [ "$p_trusted" -ge "$seq" ] ||
      broken "$((p_trusted + 1))" "the operator does not vouch for this row of a compromised key"
    doubt=0
  elif [ -n "$new_kid" ] && ! is_lost "$new_kid" && load "$p_old" && [ "$since" != - ] && ! before "$since" "$row_time"; then
    doubt=0
  fi
  echo "$row_seq $row_hash" >>"$tmp/hashes"
  seq=$row_seq hash=$row_hash time=$row_time user=$row_user kid=${new_kid:-$expected} rows=$((rows + 1))
done <"$tmp/rows"

[ "$doubt" = 0 ] || broken "$doubt" "the row was signed by a compromised key and nothing vouches for it"
for receipt in $receipts; do
  [ "${receipt%%:*}" -le "$seq" ] ||
    broken "$((seq + 1))" "the chain ends here, but a later row was given out earlier"
  named=$(grep "^${receipt%%:*} " "$tmp/hashes" || echo "${receipt%%:*} ${receipt#*:}")
  [ "$named" = "${receipt%%:*} ${receipt#*:}" ] ||
    broken "${receipt%%:*}" "the row is not the one whose hash was given out earlier"
done

before_seq=0 before_issued=''
jq -r -f "$tmp/head.jq" "$events" >"$tmp/heads"
while read -r h_seq h_upto h_user h_hash h_issued h_kid h_signature h_canonical; do
  [ "$h_seq" != malformed ] || broken "$seq" "the head is malformed"
  [ "$h_user" = "${user:-$h_user}" ] || broken "$h_seq" "the head is that of another user"
  [ "$h_seq" -ge "$h_upto" ] || broken "$h_seq" "the head is behind the rows"
  named=$(grep "^$h_seq " "$tmp/hashes" || echo "$h_seq $h_hash")
  [ "$named" = "$h_seq $h_hash" ] || broken "$h_seq" "the head has another hash than the row"
  [ "$h_seq" -ge "$before_seq" ] || before "$h_issued" "$before_issued" ||
    broken "$((h_seq + 1))" "the chain ends here, but a head before named a later row"
  is_signer "$h_kid" && message head/v1 "$h_canonical" | is_signed "$h_kid" "$h_signature" ||
    broken "$h_seq" "the head is not signed by a key of this manifest"
  before_seq=$h_seq before_issued=$h_issued last_kid=$h_kid
done <"$tmp/heads"
if [ -s "$tmp/heads" ]; then
  [ "$before_seq" -ge "$seq" ] || broken "$before_seq" "the head is behind the rows"
  ! before "$before_issued" "$issued_since" || broken "$before_seq" "the head is too old"
  ! is_lost "$last_kid" &&
    { [ "$last_kid" = "${kid:-$last_kid}" ] || attested "$last_kid" "$kid" || attested "$last_kid" root; } ||
    broken "$before_seq" "the head is not signed by the key of the chain or by one it vouches for"
fi
echo "ok $rows rows, head $hash"
