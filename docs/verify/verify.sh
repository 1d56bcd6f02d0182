#!/bin/sh
# Verifies a chain of signed events with public data only; needs openssl 3, jq 1.6, coreutils and iconv, and patience
# (some 50 rows a second). See docs/verify.md.
#
#   sh verify.sh events.json... signing-keys.json [options]
#
# events.json: a page of GET /api/agent/v1/policy/events?order=asc, an array of such pages in order, or an array of rows.
# --purpose event|sandbox     which keys may sign the chain (event)
# --pin KID                   the key that must have signed the first row
# --anchor KID                the key that must have signed the manifest, or vouched for the one that did
# --root KID                  the root key; no emergency rotation holds without it
# --save FILE                 keep there where this ended and the keys it trusted, and go on from it the next time
# --from SEQ,HASH,KID,TIME    the last row of an earlier verification, given by hand
# --receipt SEQ:HASH          a row the service once named; may be repeated
# --receipts FILE             the same from a file, one a line
# --head FILE                 a signed head you kept; may be repeated
# --issued-since TIME         the oldest head that is fresh enough, written YYYY-MM-DDTHH:MM:SS.ffffffZ
#
# Exit code 0: the chain holds. 1: it is broken. 2: no verdict. 3: it holds, and some payloads were erased.
#
# Nothing of a file becomes part of a script, a path or a pattern: jq gives out numbers, hashes, ids and times only in their
# forms, and any other text as one word, which is quoted, compared, and hashed where it names a file.
set -eu
export LC_ALL=C

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

no_verdict() {
  printf 'verify: %s\n' "$1" >&2
  exit 2
}

newline='
'
# fits TEXT FORM: whether one line has a form.
fits() {
  case $1 in *"$newline"*) return 1 ;; esac
  printf '%s\n' "$1" | grep -Eqx -e "$2"
}

# A name of a key, which is safe as the name of a file.
is_key() {
  case $1 in *[!A-Za-z0-9_-]*) return 1 ;; esac
  [ ${#1} -eq 43 ]
}

# look_up NUMBER FILE: the rest of the lines that begin with a number.
look_up() {
  wanted=$1 awk '$1 "" == ENVIRON["wanted"] "" { print $2 }' "$2"
}

purpose=event pin='' anchor='' root='' save='' from='' issued_since=''
: >"$tmp/receipts" >"$tmp/kept"
words=$#
while [ "$words" -gt 0 ]; do
  case $1 in
    --*) [ "$words" -ge 2 ] || no_verdict "$1 needs a value" ;;
    *) set -- "$@" "$1" && shift && words=$((words - 1)) && continue ;;
  esac
  case $1 in
    --purpose) purpose=$2 ;;
    --pin) pin=$2 ;;
    --anchor) anchor=$2 ;;
    --root) root=$2 ;;
    --save) save=$2 ;;
    --from) from=$2 ;;
    --issued-since) issued_since=$2 ;;
    --receipt) printf '%s\n' "$2" >>"$tmp/receipts" ;;
    --receipts) cat "$2" >>"$tmp/receipts" 2>/dev/null || no_verdict "$2 cannot be read" ;;
    --head) jq -c . "$2" >>"$tmp/kept" 2>/dev/null || no_verdict "$2 cannot be read" ;;
    *) no_verdict "there is no option $1" ;;
  esac
  shift 2
  words=$((words - 2))
done
[ $# -ge 2 ] || no_verdict "give the files of the events, and last that of the keys"
case $purpose in event | sandbox) ;; *) no_verdict "--purpose must be event or sandbox" ;; esac
[ -z "$from" ] || [ -z "$pin" ] || no_verdict "--from names the key itself; leave out --pin"
fits "$from" '([0-9]{1,16},[0-9a-f]{64},[A-Za-z0-9_-]{43},[0-9:.TZ-]{27})?' ||
  no_verdict "--from must be SEQ,HASH,KID,TIME of a row"
fits "$issued_since" '([0-9-]{10}T[0-9:]{8}[.][0-9]{6}Z)?' || no_verdict "--issued-since needs a time"
sed -E 's/^[ \t]*0*([0-9]+)[: \t]+([0-9a-f]{64})[ \t\r]*$/\1 \2/; /^[ \t\r]*$/d' "$tmp/receipts" >"$tmp/named"
! grep -Evq '^[0-9]{1,16} [0-9a-f]{64}$' "$tmp/named" || no_verdict "a receipt must be SEQ:HASH"

# Which keys the verdict rests on, and how each of them came to be trusted.
pinned='' saved='' attested='' first_use=''
known_key() { # ROLE GIVEN SAVED
  if [ -n "$2" ]; then pinned="$pinned${pinned:+, }$1 $2"
  elif [ -n "$3" ]; then saved="$saved${saved:+, }$1 $3"; fi
}
trust() {
  {
    [ -z "$pinned" ] || printf 'pinned: %s\n' "$pinned"
    [ -z "$saved" ] || printf 'saved: %s\n' "$saved"
    [ -z "$attested" ] || printf '%s\n' "$attested"
    [ -z "$first_use" ] || printf 'trusted on first use: %s\n' "$first_use"
    [ -n "$pinned$saved$attested$first_use" ] || echo "no key known"
  } | paste -s -d ';' - | sed 's/;/; /g'
}
broken() {
  printf 'broken at seq %s: %s [%s]\n' "$1" "$2" "$(trust)"
  exit 1
}

# JSON whose meaning does not depend on who reads it: whole UTF-8, no lone surrogate, no member twice.
plain() {
  iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1 || no_verdict "$1 cannot be read as UTF-8"
  if sed -E 's/\\\\//g; s/\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}//g' "$1" |
    grep -Eq '\\u[dD][89a-fA-F]'; then
    broken 1 "a text has broken Unicode in $1"
  fi
  jq -e . "$1" >/dev/null 2>&1 || no_verdict "$1 is not JSON"
  jq -c --stream . "$1" | sort >"$tmp/streamed"
  jq -c tostream "$1" | sort >"$tmp/parsed"
  cmp -s "$tmp/streamed" "$tmp/parsed" || broken 1 "a member comes twice in $1"
}

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
def digits: . + 0 | tostring;
def keyId: if key then . else "-" end;
def is_head: type == "object" and keys == ["hash","issuedAt","seq","signature","signingKeyId","userId","v"] and .v == 1
  and (.seq | integer) and (.userId | uuid) and (.hash | hash) and (.issuedAt | moment) and (.signingKeyId | key)
  and (.signature | signature);
def head_line:
  "\(.seq | digits) \(.userId) \(.hash) \(.issuedAt) \(.signingKeyId) \(.signature) \(del(.signature) | canonical | @base64)";
def word: if type == "string" and test("\\A[!-~]+\\z") then . else "-" end;
JQ

# Where to begin, and the keys that are known.
seq=0 hash=0000000000000000000000000000000000000000000000000000000000000000 time='' user='' kid='' doubt=0
seen_version=0 erased=0 s_first='' s_anchor='' s_root=''
if [ -n "$from" ]; then
  IFS=, read -r seq hash kid time <<FROM
$from
FROM
  while [ "${seq#0}" != "$seq" ] && [ "$seq" != 0 ]; do seq=${seq#0}; done
fi
if [ -n "$save" ] && [ -f "$save" ]; then
  { cat "$tmp/canonical.jq"; cat <<'JQ'; } >"$tmp/saved.jq"
select((.userId | uuid) and (.seq | integer) and (.hash | hash) and (.signingKeyId | key) and (.createdAt | moment)
  and (.manifestVersion | integer))
| [.firstKeyId, .anchorKeyId, .rootKeyId] as $keys | select($keys | all(. == null or key))
| select(.erasedRows == null or (.erasedRows | integer))
| [.userId, (.seq | digits), .hash, .signingKeyId, .createdAt, (.manifestVersion, .erasedRows // 0 | digits)]
  + ($keys | map(. // "-")) | join(" ")
JQ
  jq -r -f "$tmp/saved.jq" "$save" >"$tmp/saved" 2>/dev/null && [ -s "$tmp/saved" ] ||
    no_verdict "$save is not a file of --save; move it away to begin anew"
  [ -z "$from" ] || no_verdict "the file of --save says where to go on; leave out --from"
  read -r user seq hash kid time seen_version erased s_first s_anchor s_root <"$tmp/saved"
  [ "$s_first" != - ] || s_first=''
  [ "$s_anchor" != - ] || s_anchor=''
  [ "$s_root" != - ] || s_root=''
  [ -z "$pin" ] || [ -n "$s_first" ] || no_verdict "the file of --save does not know the first key; leave out --pin"
fi
begin=$seq begin_hash=$hash given_kid=''
[ -z "$from" ] || given_kid=$kid
known_first=${pin:-$s_first} known_anchor=${anchor:-$s_anchor} known_root=${root:-$s_root}
known_key "$purpose key" "${pin:-$given_kid}" "$s_first"
known_key "anchor key" "$anchor" "$s_anchor"
known_key "root key" "$root" "$s_root"
[ "$seq" != 0 ] || kid=${kid:-$known_first}

: >"$tmp/pages"
while [ $# -gt 1 ]; do
  plain "$1"
  cat "$1" >>"$tmp/pages"
  shift
done
plain "$1"
manifest=$1
jq -c -s '[.[] | if type == "array" then .[] else . end]' "$tmp/pages" >"$tmp/events"
[ "$(cat "$tmp/events")" != '[]' ] || no_verdict "there is no page to verify"

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
# Whether an entry would explain why a row has no payload, if the right key signed it: of its user, place, hash and kind.
def covers($row):
  type == "object" and inProfile and (.hash | hash) and (.throughSeq // .seq | integer) and (.erasedAt | moment)
  and (.signingKeyId | key) and (.signature | signature) and (.reason | type == "string" and length >= 1 and length <= 500)
  and .userId == $row.userId
  and ((keys == ["erasedAt","hash","reason","seq","signature","signingKeyId","userId"] and .seq == $row.seq
      and .hash == $row.hash and ($row.eventType as $t | ["guardrail.decision","policy.drift_detected",
        "policy.drift_cleared","broker.trade_observed"] | index([$t]) != null))
    or (keys == ["erasedAt","hash","reason","signature","signingKeyId","throughSeq","userId"] and (.throughSeq | integer)
      and (.throughSeq > $row.seq or .throughSeq == $row.seq and .hash == $row.hash)
      and $row.eventType != "signing_key.rotated"));
.[] | (if type == "object" then .erasures else null end | if type == "array" then . else [] end) as $erasures
| (if type == "object" and has("events") then .events[] else . end)
| . as $row | wrong as $wrong
| if $wrong then "bad \(if type == "object" and (.seq | integer) then .seq | digits else 0 end) \($wrong)"
  else
    (if .payload then empty else $erasures[] | select(covers($row)) | "erasure \(.throughSeq // .seq | digits) \(.hash) \(.erasedAt)"
      + " \(.signingKeyId) \(.signature) \(del(.signingKeyId, .signature) | canonical | @base64)" end),
    ([(.seq | digits), .userId, .eventType, .createdAt, .payloadHash, .prevHash, .signingKeyId, .hash, .signature,
      (del(.payload, .hash, .signature) | canonical | @base64),
      (if .payload then .payload | canonical | @base64 else "-" end)]
      + (.payload // {} | [(.oldKeyId, .newKeyId, .newPublicKey | keyId), (.reason, .newKeyProof | word),
        (.trustedThroughSeq | if integer then digits else "-" end)])
      | "row " + join(" ")) end
JQ

# What the chain says of passkeys and of what they signed, after the row where an earlier verification ended.
{ cat "$tmp/canonical.jq"; cat <<'JQ'; } >"$tmp/passkeys.jq"
def wellFormed:
  .attestation as $a | .kind == "attestation" and $a.accepted == true and ($a.attested | type) == "object"
  and ($a.passkey | type) == "object" and ($a.attested | keys) == ["custodian","decisionHash","expiresAt","ipsVersion","nonce",
    "portfolioRevision","serviceRequestId","trade","userId"]
  and ($a.passkey | keys) == ["authenticatorData","clientDataJSON","credentialId","signature"];
def typed:
  (.userId | uuid) and (.serviceRequestId | integer) and (.portfolioRevision | integer)
  and (.ipsVersion | . == null or integer) and (.custodian | . == null or type == "string") and (.nonce | type == "string")
  and (.decisionHash | hash) and (.expiresAt | moment) and (.trade | type == "object");
def same($row):
  .attestation.attested as $a | $a.userId == $row.userId and $a.serviceRequestId == .serviceRequestId and $a.trade == .trade
  and $row.createdAt < $a.expiresAt and (.ipsVersion == null or .ipsVersion == $a.ipsVersion);
.[] | (if type == "object" and has("events") then .events[] else . end) | select(.seq > $begin)
| . as $row | (.seq | digits) as $seq | .payload
| if . == null then
    if $row.eventType | startswith("key.") then "hidden \($seq)"
    elif $row.eventType == "guardrail.decision" then "erased \($seq) \($row.hash)" else empty end
  elif ($row.eventType | startswith("key.")) and .keyClass == "passkey" then
    "\($row.eventType) \($seq) \(.credentialId | word) \(.rpId | word) " + (.publicKey
      | if type != "object" then "-"
        elif .alg == "ES256" and .kty == "EC" and .crv == "P-256" then "ES256 \(.x | word) \(.y | word)"
        elif .alg == "EdDSA" and .kty == "OKP" and .crv == "Ed25519" then "EdDSA \(.x | word) -"
        elif .alg == "RS256" and .kty == "RSA" and .crv == null then "RS256 \(.n | word) \(.e | word)" else "-" end)
  elif $row.eventType == "guardrail.decision" then
    (if .kind == "propose" and (.serviceRequestId | integer) then "proposal \($seq) \(.serviceRequestId | digits) \($row.hash)"
      else empty end),
    (if (.attestation | type) == "object" and (.attestation | has("attested") or has("passkey")) then
      if wellFormed and (.attestation.attested | typed) | not then "wrong \($seq) the signature of the passkey is malformed"
      elif same($row) | not then "wrong \($seq) the passkey signed something else than is recorded"
      else .attestation | "acceptance \($seq) \(.attested.serviceRequestId | digits) \(.attested.decisionHash) \(.passkey
        | [.credentialId, .authenticatorData, .clientDataJSON, .signature | word] | join(" ")) \(.attested | canonical | @base64)"
      end else empty end)
  else empty end
JQ

{ cat "$tmp/canonical.jq"; cat <<'JQ'; } >"$tmp/client.jq"
if type == "object" and (.crossOrigin | . == null or type == "boolean") then [(.type, .challenge, .origin | word), (.crossOrigin == true | tostring)] | join(" ")
else error("no object") end
JQ

{ cat "$tmp/canonical.jq"; cat <<'JQ'; } >"$tmp/keys.jq"
"version \(.manifestVersion | if integer then digits else error("no version") end)",
(.keys[] | "key \(.kid | keyId) \(if (.x | key) and .kty == "OKP" and .crv == "Ed25519" then .x else "-" end)"
  + " \(.purpose | word) \(.status | word) \(.revocationReason | word) \(.compromisedSince | if moment then . else "-" end)"),
(.keys[] | . as $key | .attestations // [] | .[] | "attestation \($key.kid | keyId) \(.byKeyId | keyId)"
  + " \($key | {kid, x, purpose, validFrom} | canonical | @base64) \(.signature | word)"),
(if .signature then "manifest \(.signature.keyId | keyId) \(del(.signature) | canonical | @base64)"
  + " \(.signature.value | word)" else empty end)
JQ

{ cat "$tmp/canonical.jq"; cat <<'JQ'; } >"$tmp/head.jq"
.[] | select(type == "object" and has("events"))
| (.events[-1].seq // 0 | digits) as $upTo
| if .nextCursor != null and (.nextCursor | type != "string" or . == "") then "cursor"
  elif .head == null then empty
  elif .head | is_head then .head | "head \($upTo) \(head_line)"
  else "malformed" end
JQ

{ cat "$tmp/canonical.jq"; cat <<'JQ'; } >"$tmp/kept.jq"
if is_head then head_line else error("no head") end
JQ
jq -r -f "$tmp/kept.jq" "$tmp/kept" >"$tmp/kept_heads" 2>/dev/null || no_verdict "a file of --head is no head"

base64url() {
  base64 | tr -d '\n=' | tr '+/' '-_'
}

before() {
  expr "x$1" '<' "x$2" >/dev/null
}

# is_signed KID SIGNATURE < message: by a key that is in the manifest.
is_signed() {
  cat >"$tmp/message"
  is_key "$1" && [ -f "$tmp/pem.$1" ] && [ ${#2} -eq 86 ] || return 1
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
  is_key "$1" && [ -f "$tmp/key.$1" ] && read -r x used_for status reason since <"$tmp/key.$1"
}

is_signer() {
  load "$1" && [ "$used_for" = "$purpose" ]
}

is_lost() {
  load "$1" && [ "$reason" = compromise ]
}

# Whether a key was its owner's alone at a time.
was_sound() {
  ! is_lost "$1" || { [ "$since" != - ] && ! before "$since" "$2"; }
}

# attested KID BY: whether one key, which is not lost, vouches for another.
attested() {
  is_key "$1" && [ -f "$tmp/attestations.$1" ] && is_key "$2" && ! is_lost "$2" || return 1
  while read -r by canonical signature; do
    if [ "$by" = "$2" ] && message key/v1 "$canonical" | is_signed "$by" "$signature"; then return 0; fi
  done <"$tmp/attestations.$1"
  return 1
}

is_by_root() {
  load "$known_root" && [ "$used_for" = root ] && attested "$1" "$known_root"
}

# Notes for every anchor key which known key vouches for it, itself or through anchor keys in between.
vouch() {
  for id in "$known_anchor" "$known_root"; do
    if is_key "$id"; then printf '%s\n' "$id" >"$tmp/vouched.$id"; fi
  done
  grown=yes
  while [ -n "$grown" ]; do
    grown=''
    for file in "$tmp"/attestations.*; do
      id=${file##*/attestations.}
      load "$id" && [ "$used_for" = anchor ] && [ ! -f "$tmp/vouched.$id" ] || continue
      for by in $(cut -d ' ' -f 1 "$file"); do
        [ -f "$tmp/vouched.$by" ] && load "$by" && [ "$status" != revoked ] || continue
        case $used_for in anchor | root) attested "$id" "$by" || continue ;; *) continue ;; esac
        cp "$tmp/vouched.$by" "$tmp/vouched.$id"
        grown=yes
      done
    done
  done
}

signed_by=''
jq -r -f "$tmp/keys.jq" "$manifest" >"$tmp/keys" 2>/dev/null || broken 1 "the manifest is malformed"
while read -r what a b c d e f; do
  case $what in
    version)
      version=$a ;;
    key)
      thumbprint=$(printf '{"crv":"Ed25519","kty":"OKP","x":"%s"}' "$b" | openssl dgst -sha256 -binary | base64url)
      is_key "$a" && [ "$thumbprint" = "$a" ] || broken 1 "the key $a is not the one its id names"
      [ ! -f "$tmp/key.$a" ] || broken 1 "the key $a is listed twice"
      printf '%s\n' "$b $c $d $e $f" >"$tmp/key.$a"
      printf -- '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA%s=\n-----END PUBLIC KEY-----\n' \
        "$(printf '%s' "$b" | tr -- '-_' '+/')" >"$tmp/pem.$a" ;;
    attestation)
      printf '%s\n' "$b $c $d" >>"$tmp/attestations.$a" ;;
    manifest)
      load "$a" && [ "$status" != revoked ] && { [ "$used_for" = anchor ] || [ "$used_for" = root ]; } &&
        message manifest/v1 "$b" | is_signed "$a" "$c" ||
        broken 1 "the manifest is not signed by its anchor or root key"
      signed_by=$a signer_use=$used_for ;;
  esac
done <"$tmp/keys"
[ -n "$signed_by" ] || broken 1 "the manifest is not signed"
if [ "$signed_by" != "$known_anchor" ] && [ "$signed_by" != "$known_root" ]; then
  vouch
  if [ -f "$tmp/vouched.$signed_by" ]; then
    attested="attested by $(cat "$tmp/vouched.$signed_by"): anchor key $signed_by"
  elif [ -z "$known_anchor" ] && [ "$signer_use" = anchor ]; then
    first_use="anchor key $signed_by"
  else
    broken 1 "the manifest is signed by another key than the anchor key that is known"
  fi
fi
[ "$version" -ge "$seen_version" ] || broken 1 "the manifest is older than one that was seen before"
[ ! -s "$tmp/saved" ] || [ "$known_first" = "$s_first" ] ||
  broken 1 "the row is signed by another key than the chain expects"

# What the service named before: receipts, kept heads, and where the last verification ended.
cut -d ' ' -f 1,3 "$tmp/kept_heads" >>"$tmp/named"
[ ! -s "$tmp/saved" ] || printf '%s\n' "$seq $hash" >>"$tmp/named"
while read -r r_seq r_hash; do
  [ "$(look_up "$r_seq" "$tmp/named" | sort -u | wc -l)" -eq 1 ] ||
    broken "$r_seq" "two rows were given out for this place; keep both, they prove it"
done <"$tmp/named"
while read -r h_seq h_user h_hash h_issued h_kid h_signature h_canonical; do
  is_signer "$h_kid" && was_sound "$h_kid" "$h_issued" && message head/v1 "$h_canonical" | is_signed "$h_kid" "$h_signature" ||
    broken "$h_seq" "the head that was kept is not signed by a key of this manifest"
done <"$tmp/kept_heads"

# Checks the key rotation of the current row; sets new_kid.
rotation() {
  old_kid=${kid:-$p_old}
  [ "$payload" != - ] && [ "$p_old" != - ] && [ "$p_old" = "$old_kid" ] ||
    broken "$row_seq" "the key rotation is not from the key that signed so far"
  [ "$p_reason" = scheduled ] || { [ "$p_reason" = compromise ] && [ "$p_trusted" != - ]; } ||
    broken "$row_seq" "the key rotation is malformed"
  is_signer "$p_new" && [ "$x" = "$p_x" ] ||
    broken "$row_seq" "the new key is not in the manifest for this kind of chain"
  printf 'agent-policy/key-proof/v1\n%s\n%s\n%s\n%s\n' "$row_user" "$old_kid" "$p_new" "$row_prev" |
    is_signed "$p_new" "$p_proof" ||
    broken "$row_seq" "the new key is not proven to be in the hands of the service"
  if [ "$p_reason" = compromise ]; then
    [ -n "$known_root" ] ||
      broken "$row_seq" "the key rotation is an emergency, and no root key was given to vouch for it"
    ! is_lost "$p_new" && is_by_root "$p_new" ||
      broken "$row_seq" "the new key of an emergency is not attested by the root key that was given"
  fi
  new_kid=$p_new
}

# is_named NUMBER HASH FILE: whether a file names no other hash for this number.
is_named() {
  named=$(look_up "$1" "$3")
  [ -z "$named" ] || [ "$named" = "$2" ]
}

# A row without a payload needs a signed erasure; what that still owes is settled where the chain ends.
erasure() {
  if [ -s "$tmp/ends" ]; then
    is_named "$row_seq" "$row_hash" "$tmp/ends" || broken "$row_seq" "the row is not the one that an erasure names"
  fi
  [ "$payload" = - ] || return 0
  [ -n "$e_seq" ] || broken "$row_seq" "the payload is missing, and no signed erasure explains it"
  erased=$((erased + 1))
  printf '%s\n' "$e_kid $row_seq" >>"$tmp/erased_by"
  [ "$e_seq" -gt "$row_seq" ] || return 0
  is_named "$e_seq" "$e_hash" "$tmp/ends" || broken "$row_seq" "two erasures name two rows for one place"
  [ -n "$named" ] || printf '%s\n' "$e_seq $e_hash" >>"$tmp/ends"
}

printf '%s\n' "$seq $hash" >"$tmp/hashes"
: >"$tmp/ends" >"$tmp/erased_by"
printf '%s\n' "$kid" >"$tmp/reached"
last_seen='' e_seq=''
jq -r -f "$tmp/rows.jq" "$tmp/events" >"$tmp/rows" 2>/dev/null || broken "$((seq + 1))" "the rows are malformed"
while read -r what row_seq row_user kind row_time payload_hash row_prev row_kid row_hash row_signature header payload \
  p_old p_new p_x p_reason p_proof p_trusted; do
  if [ "$what" = erasure ]; then # its members: seq hash erasedAt kid signature canonical
    if [ -z "$e_seq" ] && is_signer "$row_time" && was_sound "$row_time" "$kind" &&
      message erasure/v1 "$row_prev" | is_signed "$row_time" "$payload_hash"; then
      e_seq=$row_seq e_hash=$row_user e_kid=$row_time
    fi
    continue
  fi
  if [ "$what" = bad ]; then
    [ "$row_seq" != 0 ] || row_seq=$((seq + 1))
    broken "$row_seq" "$(printf '%s ' "$row_user" "$kind" "$row_time" "$payload_hash" "$row_prev" "$row_kid" "$row_hash" \
      "$row_signature" "$header" "$payload" "$p_old" | sed 's/ *$//')"
  fi
  last_seen=$row_seq
  if [ "$seq" = "$begin" ] && [ "$row_seq" -ge 1 ] && [ "$row_seq" -le "$begin" ]; then
    [ "$row_seq" != "$begin" ] || [ "$row_hash" = "$begin_hash" ] ||
      broken "$row_seq" "the row is not the one that was verified before"
    e_seq=''
    continue
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
  if [ -z "$kid" ]; then
    known_first=$row_kid
    first_use="$first_use${first_use:+, }$purpose key $row_kid"
  fi
  erasure
  e_seq=''
  printf '%s\n' "$row_seq $row_hash" >>"$tmp/hashes"
  seq=$row_seq hash=$row_hash time=$row_time user=$row_user kid=${new_kid:-$expected}
  printf '%s\n%s\n' "$row_kid" "$kid" >>"$tmp/reached"
done <"$tmp/rows"

# decode TEXT FILE: base64url of any length, of which there is one text only.
decode() {
  case $1 in '' | *[!A-Za-z0-9_-]*) return 1 ;; esac
  case $((${#1} % 4)) in 0) padding='' ;; 2) padding='==' ;; 3) padding='=' ;; *) return 1 ;; esac
  printf '%s%s' "$1" "$padding" | tr -- '-_' '+/' | base64 -d >"$2" 2>/dev/null && [ "$(base64url <"$2")" = "$1" ]
}

size() {
  wc -c <"$1"
}

hexdump() {
  od -An -v -tx1 | tr -d ' \n'
}

# mint ALGORITHM NUMBER NUMBER FILE: writes the public key of a passkey.
mint() {
  decode "$2" "$tmp/number1" || return 1
  [ "$1" = EdDSA ] || decode "$3" "$tmp/number2" || return 1
  case $1 in
    ES256)
      [ "$(size "$tmp/number1")" -eq 32 ] && [ "$(size "$tmp/number2")" -eq 32 ] || return 1
      body=MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE$(cat "$tmp/number1" "$tmp/number2" | base64 | tr -d '\n') ;;
    EdDSA)
      [ "$(size "$tmp/number1")" -eq 32 ] || return 1
      # The points of small order, with which anybody can sign, and encodings of numbers that are not below the prime.
      case $(hexdump <"$tmp/number1") in
        0[01]000000000000000000000000000000000000000000000000000000000000[08]0 | \
        26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc[08]5 | \
        c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03[7f]a | \
        e[c-f]ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff[7f]f | \
        f?ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff[7f]f) return 1 ;;
      esac
      body=MCowBQYDK2VwAyEA$(base64 <"$tmp/number1" | tr -d '\n') ;;
    RS256)
      modulus=$(hexdump <"$tmp/number1") exponent=$(hexdump <"$tmp/number2")
      case $modulus in 00* | *[02468ace]) return 1 ;; esac
      case $exponent in '' | 00* | 01 | *[02468ace]) return 1 ;; esac
      case ${#modulus}$modulus in 512[0-7]*) return 1 ;; esac
      [ ${#modulus} -ge 512 ] && [ ${#modulus} -le 1024 ] && [ ${#exponent} -le 8 ] || return 1
      printf 'asn1=SEQUENCE:k\n[k]\na=SEQUENCE:a\nk=BITWRAP,SEQUENCE:n\n[a]\no=OID:rsaEncryption\np=NULL\n[n]\nn=INTEGER:0x%s\ne=INTEGER:0x%s\n' \
        "$modulus" "$exponent" >"$tmp/rsa"
      openssl asn1parse -genconf "$tmp/rsa" -noout -out "$tmp/der" 2>/dev/null || return 1
      body=$(base64 <"$tmp/der" | tr -d '\n') ;;
  esac
  { echo "-----BEGIN PUBLIC KEY-----"; printf '%s\n' "$body" | fold -w 64; echo "-----END PUBLIC KEY-----"; } >"$4"
  openssl pkey -pubin -in "$4" -noout 2>/dev/null
}

origin_host() {
  printf '%s\n' "$1" | sed -nE 's,^https://([^/:?#@]+)(:[0-9]+)?$,\1,p; s,^http://(localhost)(:[0-9]+)?$,\1,p'
}

# refused ALGORITHM RP-ID PEM: says why the assertion at hand is no signature of a verified user over $challenge.
refused() {
  if ! decode "$a_data" "$tmp/data" || [ "$(size "$tmp/data")" -lt 37 ] || ! decode "$a_client" "$tmp/client" ||
    ! decode "$a_signature" "$tmp/assertion" || ! iconv -f UTF-8 -t UTF-8 "$tmp/client" >/dev/null 2>&1 ||
    ! jq -r -f "$tmp/client.jq" "$tmp/client" >"$tmp/said" 2>/dev/null || [ "$(wc -l <"$tmp/said")" -ne 1 ]; then
    echo "it cannot be read"
    return
  fi
  read -r c_type c_challenge c_origin c_cross <"$tmp/said"
  [ "$c_type" = webauthn.get ] || { echo "it is no assertion"; return; }
  [ "$c_challenge" = "$challenge" ] || { echo "it is for another challenge"; return; }
  [ "$c_cross" = false ] && [ "$(origin_host "$c_origin")" = "$2" ] || { echo "it was made at another origin"; return; }
  [ "$(head -c 32 "$tmp/data" | hexdump)" = "$(printf '%s' "$2" | sha256sum | cut -c1-64)" ] ||
    { echo "it was made for another relying party"; return; }
  [ $(($(od -An -j 32 -N 1 -tu1 "$tmp/data") & 5)) -eq 5 ] ||
    { echo "the authenticator did not verify the user"; return; }
  { cat "$tmp/data"; openssl dgst -sha256 -binary <"$tmp/client"; } >"$tmp/message"
  if [ "$1" = EdDSA ]; then
    openssl pkeyutl -verify -pubin -inkey "$3" -rawin -in "$tmp/message" -sigfile "$tmp/assertion" >/dev/null 2>&1 ||
      echo "its signature is wrong"
  else
    openssl dgst -sha256 -verify "$3" -signature "$tmp/assertion" "$tmp/message" >/dev/null 2>&1 ||
      echo "its signature is wrong"
  fi
}

# The acceptances that a person signed. In a chain that is continued, what they refer to may be unknown.
are_keys_known=yes
[ "$begin" = 0 ] || are_keys_known=''
: >"$tmp/proposals" >"$tmp/erased_decisions" >"$tmp/used" >"$tmp/signed"
unchecked=0
jq -r --argjson begin "$begin" -f "$tmp/passkeys.jq" "$tmp/events" >"$tmp/passkeys" 2>/dev/null ||
  broken "$((begin + 1))" "what is said of passkeys is malformed"
while read -r what p_seq p_id p_more a_id a_data a_client a_signature a_canonical; do
  case $what in
    hidden)
      are_keys_known='' ;;
    erased)
      printf '%s\n' "$p_id" >>"$tmp/erased_decisions" ;;
    proposal)
      printf '%s\n' "$p_id $p_more" >>"$tmp/proposals" ;;
    wrong)
      broken "$p_seq" "$(printf '%s ' "$p_id" "$p_more" "$a_id" "$a_data" "$a_client" "$a_signature" "$a_canonical" |
        sed 's/ *$//')" ;;
    key.*)
      known=$tmp/passkey.$(printf '%s' "$p_id" | sha256sum | cut -c1-64)
      if [ "$what" = key.revoked ]; then
        [ -f "$known" ] || [ -z "$are_keys_known" ] || broken "$p_seq" "a passkey is revoked that was never minted"
        rm -f "$known" "$known.pem"
        continue
      fi
      [ "$what" = key.minted ] && [ "$p_id" != - ] && [ "$p_more" != - ] && [ "$a_id" != - ] &&
        mint "$a_id" "$a_data" "$a_client" "$tmp/minted.pem" || broken "$p_seq" "the passkey is malformed"
      [ ! -f "$known" ] || broken "$p_seq" "the passkey is minted a second time"
      mv "$tmp/minted.pem" "$known.pem"
      printf '%s\n' "$a_id $p_more" >"$known" ;;
    acceptance)
      challenge=$(message attestation/v1 "$a_canonical" | openssl dgst -sha256 -binary | base64url)
      ! grep -qxF -e "$challenge" "$tmp/used" || broken "$p_seq" "the signature of the passkey was used before"
      printf '%s\n' "$challenge" >>"$tmp/used"
      proposal=$(look_up "$p_id" "$tmp/proposals" | tail -n 1)
      is_erased=''
      ! grep -qxF -e "$p_more" "$tmp/erased_decisions" || is_erased=yes
      if [ -n "$proposal" ]; then is_bound=$([ "$proposal" = "$p_more" ] && echo yes || true)
      else is_bound=$([ -n "$is_erased" ] || [ "$begin" != 0 ] && echo yes || true); fi
      [ -n "$is_bound" ] || broken "$p_seq" "the passkey signed another decision than that of the proposal"
      known=$tmp/passkey.$(printf '%s' "$a_id" | sha256sum | cut -c1-64)
      [ -f "$known" ] || [ -z "$are_keys_known" ] ||
        broken "$p_seq" "the acceptance is signed with a passkey that this chain does not have at that time"
      if [ ! -f "$known" ] || [ -z "$proposal$is_erased" ]; then
        unchecked=$((unchecked + 1))
        continue
      fi
      read -r algorithm rp_id <"$known"
      why=$(refused "$algorithm" "$rp_id" "$known.pem")
      [ -z "$why" ] || broken "$p_seq" "the acceptance is not signed by its passkey: $why"
      printf '%s\n' "$p_id" >>"$tmp/signed" ;;
  esac
done <"$tmp/passkeys"

jq -r -f "$tmp/head.jq" "$tmp/events" >"$tmp/heads" 2>/dev/null || broken "$seq" "the head is malformed"
[ -n "$last_seen" ] || [ -s "$tmp/heads" ] || broken 1 "there is neither a row nor a head"
[ "${last_seen:-$begin}" -ge "$begin" ] ||
  broken "$((last_seen + 1))" "the chain ends here, but was longer when it was verified before"
[ "$doubt" = 0 ] || broken "$doubt" "the row was signed by a compromised key and nothing vouches for it"
while read -r e_kid e_seq; do
  grep -qxF -e "$e_kid" "$tmp/reached" ||
    broken "$e_seq" "the erasure of the row is signed by a key that the chain does not reach"
done <"$tmp/erased_by"
while read -r e_seq e_hash; do
  [ "$e_seq" -le "$seq" ] || broken "$((seq + 1))" "the chain ends here, but an erasure names a later row"
done <"$tmp/ends"
while read -r r_seq r_hash; do
  [ "$r_seq" -le "$seq" ] || broken "$((seq + 1))" "the chain ends here, but a later row was given out earlier"
  is_named "$r_seq" "$r_hash" "$tmp/hashes" ||
    broken "$r_seq" "the row is not the one whose hash was given out earlier"
done <"$tmp/named"

before_seq=0 before_issued='' last_kid='' h_named=0
while read -r what h_upto h_seq h_user h_hash h_issued h_kid h_signature h_canonical; do
  [ "$what" != malformed ] || broken "$seq" "the head is malformed"
  [ "$what" != cursor ] || broken "$seq" "the cursor is malformed"
  # Looked at by an earlier verification, unless it names a later row.
  if [ "$h_upto" -gt 0 ] && [ "$h_upto" -lt "$begin" ] && [ "$h_seq" -le "$begin" ]; then continue; fi
  [ "$h_user" = "${user:-$h_user}" ] || broken "$h_seq" "the head is that of another user"
  [ "$h_seq" -ge "$h_upto" ] || broken "$h_seq" "the head is behind the rows"
  is_named "$h_seq" "$h_hash" "$tmp/hashes" || broken "$h_seq" "the head has another hash than the row"
  [ "$h_seq" -ge "$before_seq" ] || before "$h_issued" "$before_issued" ||
    broken "$((h_seq + 1))" "the chain ends here, but a head before named a later row"
  is_signer "$h_kid" && message head/v1 "$h_canonical" | is_signed "$h_kid" "$h_signature" ||
    broken "$h_seq" "the head is not signed by a key of this manifest"
  before_seq=$h_seq before_issued=$h_issued last_kid=$h_kid
  [ "$h_seq" -le "$h_named" ] || h_named=$h_seq
done <"$tmp/heads"
if [ -n "$last_kid" ]; then
  is_end=$(jq -r '.[-1] | type != "object" or (has("events") | not) or .nextCursor == null' "$tmp/events")
  missing=$((h_named - seq)) first=$((seq + 1))
  if [ "$is_end" = true ] && [ "$missing" -eq 1 ]; then
    broken "$first" "row $first is missing, the signed head names row $h_named"
  elif [ "$is_end" = true ] && [ "$missing" -gt 1 ]; then
    broken "$first" "rows $first to $h_named are missing, the signed head names row $h_named"
  fi
  [ "$before_seq" -ge "$seq" ] || broken "$before_seq" "the head is behind the rows"
  ! before "$before_issued" "$issued_since" || broken "$before_seq" "the head is too old"
  ! is_lost "$last_kid" &&
    { [ "$last_kid" = "${kid:-$last_kid}" ] || attested "$last_kid" "$kid" || is_by_root "$last_kid"; } ||
    broken "$before_seq" "the head is not signed by the key of the chain or by one it vouches for"
fi

said=''
[ "$erased" = 0 ] || said=", $erased erased"
if [ -s "$tmp/signed" ]; then
  said="$said, signed by passkey: $(head -n 20 "$tmp/signed" | paste -s -d , - | sed 's/,/, /g')"
  more=$(($(wc -l <"$tmp/signed") - 20))
  [ "$more" -le 0 ] || said="$said and $more more"
fi
[ "$unchecked" = 0 ] || said="$said, passkey signatures not checked: $unchecked"
printf 'ok %s rows, head %s%s [%s]\n' "$seq" "$hash" "$said" "$(trust)"
[ "$h_named" -le "$seq" ] || echo "The log goes on: the signed head names row $h_named."
if [ -n "$save" ] && [ -n "$kid" ]; then
  [ "$signed_by" = "$known_root" ] || known_anchor=$signed_by
  jq -n -c -S --arg u "$user" --argjson n "$seq" --arg h "$hash" --arg k "$kid" --arg t "$time" --arg f "$known_first" \
    --arg a "$known_anchor" --arg r "$known_root" --argjson v "$version" --argjson e "$erased" \
    'def known: if . == "" then null else . end;
    {userId: $u, seq: $n, hash: $h, signingKeyId: $k, createdAt: $t, firstKeyId: ($f | known),
    anchorKeyId: ($a | known), rootKeyId: ($r | known), manifestVersion: $v, erasedRows: $e}' >"$save.new"
  mv "$save.new" "$save"
fi
[ "$erased" = 0 ] || exit 3
