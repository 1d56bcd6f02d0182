package dev.agentpolicy.app.tlog;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A witness written from the specifications tlog-witness, tlog-cosignature and signed-note of C2SP alone: it shares no code with
 * the service. It keeps one log, on the word of its verifier key.
 */
public final class WitnessStandIn implements AutoCloseable {
    private static final byte[] PREFIX_OF_ED25519 = HexFormat.of().parseHex("302a300506032b6570032100");

    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final KeyPair key;
    private final String logName;
    private final byte[] logKeyId;
    private final PublicKey logKey;
    /** Every status it answered, in order. */
    public final ConcurrentLinkedQueue<Integer> statuses = new ConcurrentLinkedQueue<>();

    private long size;
    private String root = "";
    private String checkpoint = "";
    private volatile long claimed = -1;
    private volatile boolean isSilent;

    /** @param verifierKey of the log */
    public WitnessStandIn(String verifierKey) throws IOException, GeneralSecurityException {
        String[] parts = verifierKey.split("\\+", 3);
        logName = parts[0];
        logKeyId = HexFormat.of().parseHex(parts[1]);
        byte[] raw = Base64.getDecoder().decode(parts[2]);
        ByteBuffer encoded = ByteBuffer.allocate(44).put(PREFIX_OF_ED25519).put(raw, 1, 32);
        logKey = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded.array()));
        key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        server.createContext("/add-checkpoint", exchange -> answer(exchange, true));
        server.createContext("/", exchange -> answer(exchange, false));
        server.start();
    }

    public String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** The line of a policy that names this witness. */
    public String policyLine(String name) throws GeneralSecurityException {
        byte[] typed = ByteBuffer.allocate(33).put((byte) 4).put(publicKey()).array();
        return "witness " + name + " witness.example+" + HexFormat.of().formatHex(keyId()) + "+"
                + Base64.getEncoder().encodeToString(typed) + " " + url() + "\n";
    }

    /** Makes it say that it has cosigned more than it has. */
    public void claim(long entries) {
        claimed = entries;
    }

    /** Makes it accept requests and never answer. */
    public void fallSilent() {
        isSilent = true;
    }

    public synchronized long size() {
        return size;
    }

    private void answer(HttpExchange exchange, boolean isSubmission) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (isSilent) {
            return;
        }
        Answer answer = isSubmission ? submitted(new String(body, StandardCharsets.UTF_8)) : shown(exchange);
        if (isSubmission) {
            statuses.add(answer.status);
        }
        if (answer.status == 409) {
            exchange.getResponseHeaders().set("Content-Type", "text/x.tlog.size");
        }
        byte[] bytes = answer.text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private record Answer(int status, String text) {}

    private synchronized Answer shown(HttpExchange exchange) {
        String path = "/" + HexFormat.of().formatHex(sha256(logName.getBytes(StandardCharsets.UTF_8))) + "/checkpoint";
        return exchange.getRequestURI().getPath().equals(path) && !checkpoint.isEmpty()
                ? new Answer(200, checkpoint)
                : new Answer(404, "");
    }

    private synchronized Answer submitted(String body) {
        int blank = body.indexOf("\n\n");
        String[] lines = body.substring(0, blank).split("\n");
        String note = body.substring(blank + 2);
        int end = note.indexOf("\n\n") + 1;
        String text = note.substring(0, end);
        String[] checkpointLines = text.split("\n");
        if (!checkpointLines[0].equals(logName)) {
            return new Answer(404, "");
        }
        String signature = "";
        for (String line : note.substring(end + 1).split("\n")) {
            String[] words = line.split(" ");
            byte[] raw = Base64.getDecoder().decode(words[2]);
            if (words[1].equals(logName) && Arrays.equals(raw, 0, 4, logKeyId, 0, 4) && isSigned(text, raw)) {
                signature = line;
            }
        }
        if (signature.isEmpty()) {
            return new Answer(403, "");
        }
        long old = Long.parseLong(lines[0].substring("old ".length()));
        long next = Long.parseLong(checkpointLines[1]);
        if (old > next) {
            return new Answer(400, "");
        }
        if (claimed >= 0 || old != size) {
            return new Answer(409, (claimed >= 0 ? claimed : size) + "\n");
        }
        Deque<byte[]> proof = new ArrayDeque<>();
        for (String line : List.of(lines).subList(1, lines.length)) {
            proof.add(Base64.getDecoder().decode(line));
        }
        if (!isConsistent(old, next, Base64.getDecoder().decode(checkpointLines[2]), proof)) {
            return new Answer(422, "");
        }
        size = next;
        root = checkpointLines[2];
        String cosignature = cosigned(text);
        checkpoint = text + "\n" + signature + "\n" + cosignature;
        return new Answer(200, cosignature);
    }

    /** RFC 9162, section 2.1.4.2, written down step by step. */
    private boolean isConsistent(long first, long second, byte[] secondHash, Deque<byte[]> path) {
        byte[] firstHash = Base64.getDecoder().decode(root);
        if (first == 0) {
            return path.isEmpty() && (second > 0 || Arrays.equals(secondHash, sha256()));
        }
        if (first == second) {
            return path.isEmpty() && Arrays.equals(firstHash, secondHash);
        }
        if (path.isEmpty()) {
            return false;
        }
        if (Long.bitCount(first) == 1) {
            path.addFirst(firstHash);
        }
        long fn = first - 1;
        long sn = second - 1;
        while (fn % 2 == 1) {
            fn /= 2;
            sn /= 2;
        }
        byte[] fr = path.removeFirst();
        byte[] sr = fr;
        for (byte[] c : path) {
            if (sn == 0) {
                return false;
            }
            if (fn % 2 == 1 || fn == sn) {
                fr = sha256(new byte[] {1}, c, fr);
                sr = sha256(new byte[] {1}, c, sr);
                while (fn % 2 == 0 && fn != 0) {
                    fn /= 2;
                    sn /= 2;
                }
            } else {
                sr = sha256(new byte[] {1}, sr, c);
            }
            fn /= 2;
            sn /= 2;
        }
        return sn == 0 && Arrays.equals(fr, firstHash) && Arrays.equals(sr, secondHash);
    }

    private boolean isSigned(String text, byte[] raw) {
        try {
            Signature check = Signature.getInstance("Ed25519");
            check.initVerify(logKey);
            check.update(text.getBytes(StandardCharsets.UTF_8));
            return check.verify(raw, 4, raw.length - 4);
        } catch (GeneralSecurityException forged) {
            return false;
        }
    }

    private String cosigned(String text) {
        try {
            long now = Instant.now().getEpochSecond();
            Signature sign = Signature.getInstance("Ed25519");
            sign.initSign(key.getPrivate());
            sign.update(("cosignature/v1\ntime " + now + "\n" + text).getBytes(StandardCharsets.UTF_8));
            byte[] value = ByteBuffer.allocate(76)
                    .put(keyId())
                    .putLong(now)
                    .put(sign.sign())
                    .array();
            return "\u2014 witness.example " + Base64.getEncoder().encodeToString(value) + "\n";
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private byte[] publicKey() {
        byte[] encoded = key.getPublic().getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    }

    private byte[] keyId() {
        return Arrays.copyOf(
                sha256("witness.example\n".getBytes(StandardCharsets.UTF_8), new byte[] {4}, publicKey()), 4);
    }

    private static byte[] sha256(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return digest.digest();
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
