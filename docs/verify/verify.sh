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
# --tlog-proof FILE           a proof that a row of the chain is in the transparency log
# --policy FILE               which witnesses must have cosigned the checkpoint of the proof
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

# The types and forms of docs/verify/forms.txt. "=" gives the form of a text, and ":" the members of an object: "?" may be
# absent or null, "..." allows others, [x] is a list, =x is that text alone, [=x] is a list of it.
forms=$(cat <<'TABLE'
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
TABLE
)

cat >"$tmp/canonical.jq" <<'JQ'
(reduce ($forms | split("\n")[] | capture("\\A(?<name>[^ ]+) +(?<kind>[=:]) (?<rest>.*)\\z")) as $line ({};
  . as $known | .[$line.name] = if $line.kind == ":" then $line.rest | split(" ") | map(split(":"))
    else $line.rest | gsub("<(?<n>[a-z]+)>"; "(" + $known[.n] + ")") end)) as $table
| def count: type == "number" and . == floor and . >= 0 and . <= 9007199254740991;
# Whether a value has a form of the table.
def is_of($form):
  if $form | contains("|") then . as $value | any($form | split("|")[]; . as $one | $value | is_of($one))
  elif $form | startswith("[=") then . == [$form[2:-1]]
  elif $form | startswith("[") then type == "array" and all(.[]; is_of($form[1:-1]))
  elif $form | startswith("=") then . == $form[1:]
  elif $form == "any" then true
  elif $form == "null" then . == null
  elif $form == "one" then . == 1
  elif $form == "true" then . == true
  elif $form == "truth" then type == "boolean"
  elif $form == "count" then count
  elif $form == "positive" then count and . >= 1
  elif $form == "text" then type == "string" and (explode | length >= 1 and length <= 500 and all(. >= 32 and . != 127))
  elif $form == "cursor" then type == "string" and . != ""
  elif $form == "object" then type == "object"
  elif $table[$form] | type == "string" then type == "string" and test("\\A(" + $table[$form] + ")\\z")
  elif type != "object" then false
  else . as $value | $table[$form] as $members | [$members[][0] | rtrimstr("?")] as $names
    | ($names[-1] == "..." or ($value | keys) - $names == [])
    and all($members[]; (.[0] | rtrimstr("?")) as $name | .[0] == "..." or (.[0] != $name and $value[$name] == null)
      or (.[1] as $of | $value | has($name) and (.[$name] | is_of($of))))
  end;
# RFC 8785 in the profile of the documentation.
def canonical:
  if type == "object" then "{" + ([keys[] as $k | ($k | tojson) + ":" + (.[$k] | canonical)] | join(",")) + "}"
  elif type == "array" then "[" + (map(canonical) | join(",")) + "]"
  else tojson end;
def depth: if type == "object" or type == "array" then 1 + ([.[] | depth] | max // 0) else 0 end;
def inProfile: depth <= 8 and ([.. |
  if type == "string" then explode | all(. >= 32 and . != 127)
  elif type == "object" then keys | all(test("\\A[A-Za-z][A-Za-z0-9_]*\\z"))
  else true end] | all);
def digits: . + 0 | tostring;
def is_page: type == "object" and has("events");
def head_line:
  "\(.seq | digits) \(.userId) \(.hash) \(.issuedAt) \(.signingKeyId) \(.signature) \(del(.signature) | canonical | @base64)";
def word: if type == "string" and test("\\A[!-~]+\\z") then . else "-" end;
JQ

# query PROGRAM FILE [OPTION...]: what a program of jq says of a file.
query() {
  { cat "$tmp/canonical.jq"; cat; } >"$tmp/program.jq"
  jq -r --arg forms "$forms" -f "$tmp/program.jq" "$@" 2>/dev/null
}

# form NAME: the pattern of a form, for grep.
form() {
  jq -n -r --arg forms "$forms" "$(cat "$tmp/canonical.jq") \$table[\"$1\"]"
}

# examine FILE: sets fault to what lies outside of the profile in one JSON document (RFC 8259) in UTF-8 without a byte order
# mark, at most 64 deep; fails when there is no such document. jq alone is not so strict.
string='"([^"\\'$(printf '\t\r')']|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"'
examine() {
  fault=''
  iconv -f UTF-8 -t UTF-16 "$1" >/dev/null 2>&1 && [ "$(tr -d '\t\n\r\040-\377' <"$1" | wc -c)" -eq 0 ] &&
    grep -aoE "$string|[][{}:,\"]|[^][{}:,\"[:space:]]+" "$1" >"$tmp/tokens" &&
    ! grep -aEvqx "$string|[][{}:,]|true|false|null|-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?" "$tmp/tokens" &&
    awk '/^[[{]/ && ++depth > 64 { exit 1 } /^[]}]/ { depth-- }' "$tmp/tokens" &&
    sed -E 's/\\u[dD][89a-fA-F]/\\u00/g' "$1" >"$tmp/plain" && [ "$(jq -n '[inputs | 1] | length' "$tmp/plain" 2>/dev/null)" = 1 ] ||
    return 1
  awk '/^[-0-9]/ { n = $0; sub(/^-/, "", n)
    if ($0 !~ /^(0|-?[1-9][0-9]*)$/ || length(n) > 16 || (length(n) == 16 && n "" > "9007199254740991")) exit 1 }' \
    "$tmp/tokens" || fault="a number is not an integer of at most 2^53-1"
  if sed -E 's/\\\\//g; s/\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}//g' "$1" |
    grep -aEq '\\u[dD][89a-fA-F]'; then
    fault="a text has broken Unicode"
    return
  fi
  jq -c --stream . "$1" | sort >"$tmp/streamed"
  jq -c tostream "$1" | sort >"$tmp/parsed"
  cmp -s "$tmp/streamed" "$tmp/parsed" || fault="a member comes twice"
}

# exactly FILE FORM: whether a file of an option is in the profile and has a form.
exactly() {
  examine "$1" && [ -z "$fault" ] && [ "$(printf 'is_of("%s")' "$2" | query "$1")" = true ]
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

purpose=event pin='' anchor='' root='' save='' from='' issued_since='' proof='' policy=''
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
    --tlog-proof) proof=$2 ;;
    --policy) policy=$2 ;;
    --receipt) printf '%s\n' "$2" >>"$tmp/receipts" ;;
    --receipts) cat "$2" >>"$tmp/receipts" 2>/dev/null || no_verdict "$2 cannot be read" ;;
    --head)
      exactly "$2" head || no_verdict "a file of --head is no head"
      jq -c . "$2" >>"$tmp/kept" ;;
    *) no_verdict "there is no option $1" ;;
  esac
  shift 2
  words=$((words - 2))
done
[ $# -ge 2 ] || no_verdict "give the files of the events, and last that of the keys"
case $purpose in event | sandbox) ;; *) no_verdict "--purpose must be event or sandbox" ;; esac
[ -z "$from" ] || [ -z "$pin" ] || no_verdict "--from names the key itself; leave out --pin"
[ -z "$from" ] || fits "$from" "$(form place)" || no_verdict "--from must be SEQ,HASH,KID,TIME of a row"
[ -z "$issued_since" ] || fits "$issued_since" "$(form time)" || no_verdict "--issued-since needs a time"
for id in "$pin" "$anchor" "$root"; do
  [ -z "$id" ] || fits "$id" "$(form key)" || no_verdict "--pin, --anchor and --root need the id of a key"
done
tr '\t\r' '  ' <"$tmp/receipts" | sed -E 's/^ *//; s/ *$//; /^$/d' >"$tmp/given"
[ ! -s "$tmp/given" ] || ! grep -Evqx -e "$(form receipt)" "$tmp/given" || no_verdict "a receipt must be SEQ:HASH"
sed -E 's/^0*([0-9]+)[: ]+/\1 /' "$tmp/given" >"$tmp/named"

size() {
  wc -c <"$1"
}

hexdump() {
  od -An -v -tx1 | tr -d ' \n'
}

# Texts of C2SP tlog-proof.
number='(0|[1-9][0-9]{0,14})' hash64='[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=' name_of_key='[^[:space:][:cntrl:]+]+'
base64='([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)'

# are FIRST LAST FILE FORM: whether there are lines from a first to a last one, and all have a form.
are() {
  sed -n "$1,$2p" "$3" >"$tmp/lines"
  [ -s "$tmp/lines" ] && ! grep -aEvqx -e "$4" "$tmp/lines"
}

# read_proof: splits the proof into its head, the text of its checkpoint, and its signature lines.
read_proof() {
  iconv -f UTF-8 -t UTF-16 "$proof" >/dev/null 2>&1 && [ "$(tail -c 1 "$proof" | hexdump)" = 0a ] &&
    [ "$(tr -d '\n\040-\377' <"$proof" | wc -c)" -eq 0 ] &&
    awk -v part="$tmp/part" '/^$/ { n++; next } { print >(part n + 0) } END { exit n != 2 }' "$proof" &&
    [ -f "$tmp/part0" ] && [ -f "$tmp/part1" ] && [ -f "$tmp/part2" ] &&
    are 1 1 "$tmp/part0" 'c2sp[.]org/tlog-proof@v1' && are 2 2 "$tmp/part0" "extra $base64" &&
    are 3 3 "$tmp/part0" "index $number" && [ "$(wc -l <"$tmp/part0")" -le 66 ] &&
    { [ "$(wc -l <"$tmp/part0")" -eq 3 ] || are 4 66 "$tmp/part0" "$hash64"; } &&
    are 2 2 "$tmp/part1" "$number" && are 3 3 "$tmp/part1" "$hash64" && [ "$(wc -l <"$tmp/part2")" -le 100 ] &&
    are 1 100 "$tmp/part2" "— $name_of_key $base64" &&
    sed -n '2s/extra //p' "$tmp/part0" | base64 -d >"$tmp/extra" && exactly "$tmp/extra" logged &&
    jq -e '.rows | length > 0' "$tmp/extra" >/dev/null || return 1
  proof_index=$(sed -n '3s/index //p' "$tmp/part0") proof_origin=$(head -n 1 "$tmp/part1")
  proof_size=$(sed -n 2p "$tmp/part1") proof_root=$(sed -n 3p "$tmp/part1")
  proof_seq=$(jq '.seq' "$tmp/extra") proof_user=$(jq -r '.userId' "$tmp/extra")
}

key_line() { # NAME FILE, whose bytes are the type and the key
  printf '%s\n' "$(head -c 1 "$2" | hexdump) $({ printf '%s\n' "$1" && cat "$2"; } | sha256sum | cut -c1-8) $(tail -c +2 "$2" |
    base64 | tr -d '\n') $1"
}

# note_key TEXT: the type, id, key and name of a verifier key: 01 is the type of a log's, 04 that of a witness.
note_key() {
  printf '%s\n' "$1" | grep -aEqx -e "$name_of_key[+][0-9a-f]{8}[+]$base64" || return 1
  key_rest=${1#*+}
  printf '%s' "${key_rest#*+}" | base64 -d >"$tmp/typed"
  [ "$(size "$tmp/typed")" -ge 2 ] || return 1
  key_read=$(key_line "${1%%+*}" "$tmp/typed")
  case $key_read in
    01* | 04*) [ "$(size "$tmp/typed")" -eq 33 ] && [ "$(printf '%s' "$key_read" | cut -c4-11)" = "${key_rest%%+*}" ] || return 1 ;;
  esac
  printf '%s\n' "$key_read"
}

party() {
  printf '%s\n' "$tmp/party.$(printf '%s' "$1" | sha256sum | cut -c1-64)"
}

is_new() {
  [ "$1" != none ] && [ ! -f "$(party "$1")" ]
}

# take WORD...: a line of a policy.
take() {
  case $1 in
    log)
      { [ $# -eq 2 ] || [ $# -eq 3 ]; } && note_key "$2" >>"$tmp/logs" ;;
    witness)
      { [ $# -eq 3 ] || [ $# -eq 4 ]; } && is_new "$2" && key_read=$(note_key "$3") || return 1
      case $key_read in 01*) return 1 ;; esac
      printf '%s\n' "$key_read" | tee -a "$tmp/witnesses" | sed 's/^/witness /' >"$(party "$2")" ;;
    group)
      [ $# -gt 3 ] && is_new "$2" || return 1
      group=$(party "$2") least=$3
      shift 3
      case $least in all) least=$# ;; any) least=1 ;; *) fits "$least" '[1-9][0-9]{0,8}' || return 1 ;; esac
      [ "$least" -le $# ] || return 1
      printf 'group %s\n' "$least" >"$tmp/group"
      for member; do
        member=$(party "$member")
        [ -f "$member" ] && [ ! -f "$member.used" ] || return 1
        : >"$member.used"
        printf '%s\n' "$member" >>"$tmp/group"
      done
      mv "$tmp/group" "$group" ;;
    quorum)
      [ $# -eq 2 ] && [ -z "$quorum" ] && { [ "$2" = none ] || [ -f "$(party "$2")" ]; } || return 1
      quorum=$(party "$2")
      [ "$2" != none ] || printf 'group 0\n' >"$quorum" ;;
    *) return 1 ;;
  esac
}

# read_policy: a file of C2SP tlog-policy.
read_policy() {
  quorum='' blanks=" $(printf '\t')" separators=$IFS
  [ "$(tr -d '\t\n\040-\176\200-\377' <"$policy" | wc -c)" -eq 0 ] || return 1
  while read -r policy_line || [ -n "$policy_line" ]; do
    case $policy_line in '' | '#'*) continue ;; esac
    IFS=$blanks
    set -f
    set -- $policy_line
    set +f
    IFS=$separators
    take "$@" || return 1
  done <"$policy"
  [ -n "$quorum" ] && [ -z "$(cut -d ' ' -f 3 "$tmp/logs" | sort | uniq -d)" ] &&
    [ -z "$(cut -d ' ' -f 3 "$tmp/witnesses" | sort | uniq -d)" ]
}

: >"$tmp/logs" >"$tmp/witnesses"
[ -z "$policy" ] || [ -n "$proof" ] || no_verdict "--policy needs --tlog-proof"
[ -z "$policy" ] || { [ -r "$policy" ] && read_policy; } || no_verdict "$policy is no policy"
[ -z "$proof" ] || { [ -r "$proof" ] && read_proof; } || no_verdict "$proof is no proof"

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
  exactly "$save" state || no_verdict "$save is not a file of --save; move it away to begin anew"
  query "$save" >"$tmp/saved" <<'JQ'
[.userId, (.seq | digits), .hash, .signingKeyId, .createdAt, (.manifestVersion, .erasedRows // 0 | digits)]
  + ([.firstKeyId, .anchorKeyId, .rootKeyId] | map(. // "-")) | join(" ")
JQ
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
outside=''
while [ $# -ge 1 ]; do
  examine "$1" || no_verdict "$1 is not one JSON document in UTF-8, at most 64 deep"
  outside=${outside:-$fault}
  if [ $# -eq 1 ]; then
    [ "$(jq -r type "$tmp/plain")" = object ] || no_verdict "$1 holds no object"
    manifest=$1
  else
    jq -e 'type == "object" or type == "array" and all(.[]; type == "object")' "$tmp/plain" >/dev/null || no_verdict "$1 holds no object"
    if [ -z "$fault" ]; then cat "$1"; else cat "$tmp/plain"; fi >>"$tmp/pages"
  fi
  shift
done
jq -c -s '[.[] | if type == "array" then .[] else . end]' "$tmp/pages" >"$tmp/events"
[ "$(cat "$tmp/events")" != '[]' ] || no_verdict "there is no page to verify"
[ -z "$outside" ] || broken 1 "$outside"

cat >"$tmp/rows.jq" <<'JQ'
def wrong:
  if is_of("row") | not then "the row does not have the members of a row"
  elif .payload | inProfile | not then "a value of the payload lies outside of the profile"
  elif (.payload | canonical | utf8bytelength) > 65536 then "the payload is too large"
  else null end;
# Whether an entry would explain why a row has no payload, if the right key signed it: of its user, place, hash and kind.
def covers($row):
  .userId == $row.userId
  and (if has("throughSeq") then is_of("erasures") and $row.eventType != "signing_key.rotated"
      and (.throughSeq > $row.seq or .throughSeq == $row.seq and .hash == $row.hash)
    else is_of("erasure") and .seq == $row.seq and .hash == $row.hash and ($row.eventType as $t | ["guardrail.decision",
      "policy.drift_detected","policy.drift_cleared","broker.trade_observed"] | index([$t]) != null) end);
.[] | (if is_page then .erasures // [] else [] end) as $erasures
| (if is_page | not then . elif .events | type != "array" then "the page is malformed"
  elif $erasures | type != "array" then "the page is malformed" else .events[] end)
| . as $row | wrong as $wrong
| if $wrong then "bad \(if type == "object" and (.seq | count) then .seq | digits else 0 end) \($wrong)"
  else
    (if .payload then empty else $erasures[] | select(type == "object" and covers($row)) | "erasure \(.throughSeq // .seq | digits) \(.hash) \(.erasedAt)"
      + " \(.signingKeyId) \(.signature) \(del(.signingKeyId, .signature) | canonical | @base64)" end),
    ([(.seq | digits), .userId, .eventType, .createdAt, .payloadHash, .prevHash, .signingKeyId, .hash, .signature,
      (del(.payload, .hash, .signature) | canonical | @base64),
      (if .payload then .payload | canonical | @base64 else "-" end)]
      + (if .eventType == "signing_key.rotated" and (.payload | is_of("rotation")) then .payload | [.oldKeyId, .newKeyId,
          .newPublicKey, .reason, .newKeyProof, (.trustedThroughSeq | if . == null then "-" else digits end)] else [] end)
      | "row " + join(" ")) end
JQ

# What the chain says of passkeys and of what they signed, after the row where an earlier verification ended.
cat >"$tmp/passkeys.jq" <<'JQ'
def request: .serviceRequestId as $id | .attestation.attested | first((.requests // [.])[] | select(.serviceRequestId == $id)) // null;
def change_of($row):
  .confirmation.attested as $a | $a.userId == $row.userId and ($a.previousIpsVersion // 0) <= (.previousIpsVersion // 0)
  and (.scheduledAt // $row.createdAt) < $a.expiresAt;
def parts: [.credentialId, .authenticatorData, .clientDataJSON, .signature] | join(" ");
def same($row):
  .attestation.attested as $a | $a.userId == $row.userId and (request | . != null) and request.trade == .trade
  and $row.createdAt < $a.expiresAt and has("ipsVersion") and (.ipsVersion == null or .ipsVersion == $a.ipsVersion);
.[] | (if is_page then .events[] else . end) | select(.seq > $begin)
| . as $row | (.seq | digits) as $seq | .payload
| if . == null then
    if $row.eventType | startswith("key.") then "hidden \($seq)"
    elif $row.eventType == "guardrail.decision" then "erased \($seq) \($row.hash)" else empty end
  elif ($row.eventType | startswith("key.")) and .keyClass == "passkey" then
    "\($row.eventType) \($seq) " + (if is_of("credential") | not then "-"
      elif $row.eventType == "key.revoked" then "\(.credentialId) \($row.createdAt)"
      elif is_of("passkey") and (.publicKey.alg | . == "ES256" or . == "EdDSA" or . == "RS256")
        and (.publicKey.alg as $alg | .publicKey | is_of($alg)) then
        "\(.credentialId) \(.rpId) " + (.publicKey | "\(.alg) \(.x // .n) \(.y // .e // "-")")
      else "-" end)
  elif ($row.eventType | startswith("ips.")) and has("confirmation") then
    if is_of("confirmed") | not then "wrong \($seq) the signature of the passkey is malformed"
    elif change_of($row) | not then "wrong \($seq) the passkey signed another change than is recorded"
    else "document \($seq) \(.confirmation.attested.documentHash) \(.document | del(.approvals, .paused, .drawdownSince) | canonical | @base64)",
      "change \($seq) \(.ipsVersion | digits) \(.scheduledAt // "-") \(.confirmation.passkey | parts) \(.confirmation.attested | canonical | @base64)"
    end
  elif $row.eventType == "guardrail.decision" then
    (if .kind == "propose" and (.serviceRequestId | count) then "proposal \($seq) \(.serviceRequestId | digits) \($row.hash)"
      else empty end),
    (if (.attestation | type) == "object" and (.attestation | has("attested") or has("passkey")) then
      if .kind != "attestation" or (.attestation | is_of("accepted") | not) then "wrong \($seq) the signature of the passkey is malformed"
      elif same($row) | not then "wrong \($seq) the passkey signed something else than is recorded"
      else request as $request | .attestation | "acceptance \($seq) \($request.serviceRequestId | digits) \($request.decisionHash) \(.passkey | parts) \(.attested | canonical | @base64)"
      end else empty end)
  else empty end
JQ

cat >"$tmp/client.jq" <<'JQ'
if is_of("client") then [(.type, .challenge, (if .origin | is_of("origin") then .origin else null end) | word),
  (.crossOrigin == true | tostring)] | join(" ")
else error("no client data") end
JQ

cat >"$tmp/keys.jq" <<'JQ'
. as $published | if type == "object" and (.keys | type == "array") then .keys |= map(select(
  (type == "object" and (.purpose | is_of("later") and (is_of("purpose") | not))) | not)) else . end
| if is_of("manifest") | not then error("malformed")
elif any(.keys[]; (.status == "revoked") != (.revokedAt != null) or (.revokedAt != null) != (.revocationReason != null))
  then error("malformed") else . end
| "version \(.manifestVersion | digits)",
(.keys[] | "key \(.kid) \(.x) \(.purpose) \(.status) \(.revocationReason // "-") \(.compromisedSince // "-")"),
(.keys[] | . as $key | .attestations[] | "attestation \($key.kid) \(.byKeyId)"
  + " \($key | {kid, x, purpose, validFrom} | canonical | @base64) \(.signature)"),
(select(.signature) | "manifest \(.signature.keyId) \($published | del(.signature) | canonical | @base64)"
  + " \(.signature.value)")
JQ

cat >"$tmp/head.jq" <<'JQ'
.[] | select(is_page)
| (.events[-1].seq // 0 | digits) as $upTo
| if .nextCursor != null and (.nextCursor | is_of("cursor") | not) then "cursor"
  elif .head == null then empty
  elif .head | is_of("head") then .head | "head \($upTo) \(head_line)"
  else "malformed" end
JQ

printf 'head_line' | query "$tmp/kept" >"$tmp/kept_heads"

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
query "$manifest" <"$tmp/keys.jq" >"$tmp/keys" || broken 1 "the manifest is malformed"
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
  [ "$p_reason" = scheduled ] || { [ "$p_reason" = compromise ] && [ "$p_trusted" != - ]; } ||
    broken "$row_seq" "the key rotation is malformed"
  old_kid=${kid:-$p_old}
  [ "$p_old" = "$old_kid" ] || broken "$row_seq" "the key rotation is not from the key that signed so far"
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
query "$tmp/events" <"$tmp/rows.jq" >"$tmp/rows" || broken "$((seq + 1))" "the rows are malformed"
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

# decode TEXT FILE: base64url of any length.
decode() {
  case $((${#1} % 4)) in 0) padding='' ;; 2) padding='==' ;; *) padding='=' ;; esac
  printf '%s%s' "$1" "$padding" | tr -- '-_' '+/' | base64 -d >"$2"
}

# mint ALGORITHM NUMBER NUMBER FILE: writes the public key of a passkey.
mint() {
  decode "$2" "$tmp/number1"
  [ "$1" = EdDSA ] || decode "$3" "$tmp/number2"
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

# refused ALGORITHM RP-ID PEM: says why the assertion at hand is no signature of a verified user over $challenge.
refused() {
  decode "$a_data" "$tmp/data"
  decode "$a_client" "$tmp/client"
  decode "$a_signature" "$tmp/assertion"
  if [ "$(size "$tmp/data")" -lt 37 ] || ! examine "$tmp/client" || [ -n "$fault" ] ||
    ! query "$tmp/client" <"$tmp/client.jq" >"$tmp/said"; then
    echo "it cannot be read"
    return
  fi
  read -r c_type c_challenge c_origin c_cross <"$tmp/said"
  [ "$c_type" = webauthn.get ] || { echo "it is no assertion"; return; }
  [ "$c_challenge" = "$challenge" ] || { echo "it is for another challenge"; return; }
  c_host=${c_origin#*://}
  [ "$c_cross" = false ] && [ "${c_host%%:*}" = "$2" ] || { echo "it was made at another origin"; return; }
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

# once WHAT: takes the challenge of what is signed, which no row before may have used.
once() {
  challenge=$(message "$1/v1" "$a_canonical" | openssl dgst -sha256 -binary | base64url)
  ! grep -qxF -e "$challenge ${2:-}" "$tmp/used" || broken "$p_seq" "the signature of the passkey was used before"
  printf '%s\n' "$challenge ${2:-}" >>"$tmp/used"
}

# is_signed_by FILE WHAT: whether a passkey is known; if it is, it must have signed.
is_signed_by() {
  if [ ! -f "$1" ]; then
    [ -z "$are_keys_known" ] || broken "$p_seq" "$2 is signed with a passkey that this chain does not have at that time"
    return 1
  fi
  read -r algorithm rp_id <"$1"
  why=$(refused "$algorithm" "$rp_id" "$1.pem")
  [ -z "$why" ] || broken "$p_seq" "$2 is not signed by its passkey: $why"
}

# The acceptances and changes that a person signed. In a chain that is continued, what they refer to may be unknown.
are_keys_known=yes
[ "$begin" = 0 ] || are_keys_known=''
: >"$tmp/proposals" >"$tmp/erased_decisions" >"$tmp/used" >"$tmp/signed" >"$tmp/versions"
unchecked=0
query --argjson begin "$begin" "$tmp/events" <"$tmp/passkeys.jq" >"$tmp/passkeys" ||
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
        [ "$p_id" != - ] || broken "$p_seq" "the passkey is malformed"
        [ -f "$known" ] || [ -z "$are_keys_known" ] || broken "$p_seq" "a passkey is revoked that was never minted"
        [ ! -f "$known" ] || { mv "$known" "$known.revoked"; mv "$known.pem" "$known.revoked.pem"; printf '%s\n' "$p_more" >"$known.time"; }
        continue
      fi
      [ "$what" = key.minted ] && [ "$p_id" != - ] && mint "$a_id" "$a_data" "$a_client" "$tmp/minted.pem" || broken "$p_seq" "the passkey is malformed"
      [ ! -f "$known" ] || broken "$p_seq" "the passkey is minted a second time"
      mv "$tmp/minted.pem" "$known.pem"
      printf '%s\n' "$a_id $p_more" >"$known" ;;
    acceptance)
      once attestation "$p_id"
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
    document)
      [ "$(printf '%s' "$p_more" | base64 -d | sha256sum | cut -c1-64)" = "$p_id" ] ||
        broken "$p_seq" "the passkey signed another change than is recorded" ;;
    change)
      once change
      known=$tmp/passkey.$(printf '%s' "$a_id" | sha256sum | cut -c1-64)
      [ -f "$known" ] || [ "$p_more" = - ] || [ ! -f "$known.time" ] || before "$(cat "$known.time")" "$p_more" ||
        known=$known.revoked
      if is_signed_by "$known" "the change"; then printf '%s\n' "$p_id" >>"$tmp/versions"
      else unchecked=$((unchecked + 1)); fi ;;
  esac
done <"$tmp/passkeys"

query "$tmp/events" <"$tmp/head.jq" >"$tmp/heads" || broken "$seq" "the head is malformed"
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
  [ -n "$named" ] || printf '%s\n' "$h_seq $h_hash" >>"$tmp/hashes"
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

# note_signed TYPE ID KEY NAME: whether the checkpoint is signed by a key; a forged signature breaks it.
note_signed() {
  is_found=1 start=5
  case $1 in 01) ;; 04) start=13 ;; *) return 1 ;; esac
  while read -r s_dash s_name s_value; do
    printf '%s' "$s_value" | base64 -d >"$tmp/raw"
    [ "$s_name" = "$4" ] && [ "$(head -c 4 "$tmp/raw" | hexdump)" = "$2" ] || continue
    {
      [ "$1" = 01 ] || printf 'cosignature/v1\ntime %s\n' "$(od -An -j 4 -N 8 --endian=big -tu8 "$tmp/raw" | tr -d ' ')"
      cat "$tmp/part1"
    } >"$tmp/message"
    tail -c +"$start" "$tmp/raw" >"$tmp/signature"
    printf -- '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA%s\n-----END PUBLIC KEY-----\n' "$3" >"$tmp/note.pem"
    [ "$(size "$tmp/signature")" -eq 64 ] && openssl pkeyutl -verify -pubin -inkey "$tmp/note.pem" -rawin \
      -in "$tmp/message" -sigfile "$tmp/signature" >/dev/null 2>&1 || broken "$proof_seq" "a signature of the checkpoint is wrong"
    is_found=0
  done <"$tmp/part2"
  return "$is_found"
}

# is_met FILE: whether a witness or group of the policy has cosigned.
is_met() {
  read -r party_is party_rest <"$1"
  if [ "$party_is" = witness ]; then
    grep -aqxF -e "$party_rest" "$tmp/cosigned"
    return
  fi
  met=$(sed 1d "$1" | while read -r member; do if is_met "$member"; then echo met; fi; done | wc -l)
  [ "$met" -ge "$party_rest" ]
}

# node LEFT RIGHT: the hash of two hashes.
node() {
  { printf '\001' && cat "$1" "$2"; } | openssl dgst -sha256 -binary
}

# is_in_log: whether the entry in a file leads to the root of the checkpoint (RFC 9162, section 2.1.3.2).
is_in_log() {
  { printf '\000' && cat "$tmp/entry"; } | openssl dgst -sha256 -binary >"$tmp/climbed"
  at=$proof_index last=$((proof_size - 1))
  [ "$at" -le "$last" ] || return 1
  sed 1,3d "$tmp/part0" >"$tmp/siblings"
  while read -r sibling; do
    [ "$last" -gt 0 ] || return 1
    printf '%s' "$sibling" | base64 -d >"$tmp/sibling"
    if [ $((at % 2)) -eq 1 ] || [ "$at" -eq "$last" ]; then
      node "$tmp/sibling" "$tmp/climbed" >"$tmp/next"
      while [ $((at % 2)) -eq 0 ] && [ "$at" -gt 0 ]; do at=$((at / 2)) last=$((last / 2)); done
    else
      node "$tmp/climbed" "$tmp/sibling" >"$tmp/next"
    fi
    mv "$tmp/next" "$tmp/climbed"
    at=$((at / 2)) last=$((last / 2))
  done <"$tmp/siblings"
  [ "$last" -eq 0 ] && [ "$(base64 <"$tmp/climbed" | tr -d '\n')" = "$proof_root" ]
}

logged=''
if [ -n "$proof" ]; then
  [ "$proof_seq" -ge "$begin" ] || no_verdict "the row of the proof was verified before; leave out --save and --from"
  [ "$proof_user" = "$user" ] || broken "$proof_seq" "the proof is for another user"
  query "$tmp/extra" >"$tmp/logged" <<'JQ'
.rows[] | "\(.seq | digits) \(.userId) \(.prevHash) \(.hash) \(del(.hash, .signature) | canonical | @base64)"
JQ
  l_next=$proof_seq l_last='' l_coded=''
  while read -r l_seq l_user l_prev l_hash l_header; do
    [ "$l_seq" = "$l_next" ] && [ "$l_user" = "$proof_user" ] && [ "${l_last:-$l_prev}" = "$l_prev" ] &&
      [ "$(message event/v1 "$l_header" | sha256sum | cut -c1-64)" = "$l_hash" ] ||
      broken "$proof_seq" "the rows of the proof do not follow each other"
    l_next=$((l_seq + 1)) l_last=$l_hash l_coded=$l_header
  done <"$tmp/logged"
  [ "$proof_seq" -le "$seq" ] || broken "$((seq + 1))" "the chain ends here, but there is a proof of a later row"
  while read -r l_seq l_user l_prev l_hash l_header; do
    is_named "$l_seq" "$l_hash" "$tmp/hashes" || broken "$l_seq" "the row is not the one that was logged"
  done <"$tmp/logged"
  if [ ! -s "$tmp/logs" ]; then
    for file in "$tmp"/key.*; do
      load "${file##*/key.}" && [ "$used_for" = log ] && [ "$status" != revoked ] || continue
      { printf '\001' && printf '%s=' "$x" | tr -- '-_' '+/' | base64 -d; } >"$tmp/typed"
      key_line "$proof_origin" "$tmp/typed" >>"$tmp/logs"
    done
  fi
  by=''
  while read -r n_type n_id n_key n_name; do
    if [ "$n_name" = "$proof_origin" ] && note_signed "$n_type" "$n_id" "$n_key" "$n_name"; then by=$n_name; fi
  done <"$tmp/logs"
  : >"$tmp/cosigned"
  while read -r n_type n_id n_key n_name; do
    if note_signed "$n_type" "$n_id" "$n_key" "$n_name"; then printf '%s\n' "$n_type $n_id $n_key $n_name" >>"$tmp/cosigned"; fi
  done <"$tmp/witnesses"
  [ -n "$by" ] || broken "$proof_seq" "the checkpoint of the proof is not signed by the log"
  { printf '%s=' "$(jq -r .commitment "$tmp/extra")" | tr -- '-_' '+/' | base64 -d &&
    message event/v1 "$l_coded" | openssl dgst -sha256 -binary; } >"$tmp/entry"
  is_in_log || broken "$proof_seq" "the row of the proof is not in the log"
  logged=", in the log at index $proof_index, witnesses not checked"
  if [ -n "$policy" ]; then
    witnessed="witnessed by $(($(wc -l <"$tmp/cosigned"))) of $(($(wc -l <"$tmp/witnesses")))"
    is_met "$quorum" || broken "$proof_seq" "the checkpoint is $witnessed, which is no quorum"
    logged=", in the log at index $proof_index, $witnessed"
  fi
fi

said=''
[ "$erased" = 0 ] || said=", $erased erased"
# named FILE WHAT: adds the first numbers of a file to what is said.
named() {
  [ -s "$1" ] || return 0
  said="$said, $2: $(head -n 20 "$1" | paste -s -d , - | sed 's/,/, /g')"
  more=$(($(wc -l <"$1") - 20))
  [ "$more" -le 0 ] || said="$said and $more more"
}
named "$tmp/signed" "signed by passkey"
named "$tmp/versions" "policy versions signed by passkey"
[ "$unchecked" = 0 ] || said="$said, passkey signatures not checked: $unchecked"
printf 'ok %s rows, head %s%s [%s]\n' "$seq" "$hash" "$said$logged" "$(trust)"
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
