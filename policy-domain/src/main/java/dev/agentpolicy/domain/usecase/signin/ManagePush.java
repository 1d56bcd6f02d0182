package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.P256;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.signin.PushDevices;
import dev.agentpolicy.domain.port.signin.PushDevices.PushDevice;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import java.net.URI;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The devices on which a user is told of requests (docs/reference/notices.md). Methods block on the database.
 *
 * @param key the public key of what signs the messages of this service; not used where nothing is pushed
 * @param isPublic whether a host is at a public address; may block while its name is looked up
 */
public record ManagePush(
        PushDevices devices,
        String key,
        Predicate<String> isPublic,
        Notices notices,
        RandomSource random,
        InstantSource clock) {
    private static final int MAX_NAME = 100;
    private static final int MAX_ENDPOINT = 1_000;
    private static final int MAX_PORT = 65_535;
    private static final int POINT_BYTES = 65;
    /** Where the second number of a point begins. */
    private static final int SECOND = 33;

    private static final int SECRET_BYTES = 16;
    private static final byte UNCOMPRESSED = 4;
    private static final String ENDPOINT = "subscription.endpoint";

    /** The key of the service, and the devices of a user. */
    public record Pushing(String key, List<PushDevice> devices) {}

    /** A subscription as browsers write it (PushSubscriptionJSON), and a name for its device. */
    public record PushRequest(String name, URI endpoint, String publicKey, String secret) {

        public static Reading<PushRequest> read(Document sent) {
            Fields fields = new Fields(sent, Decimals.NUMBERS);
            String name = fields.plainText("name", 1, MAX_NAME);
            PushRequest subscription = fields.object("subscription", PushRequest::subscription);
            fields.require("name", "subscription");
            return fields.finish(() -> {
                PushRequest read = Fields.present(subscription);
                return new PushRequest(Fields.present(name), read.endpoint, read.publicKey, read.secret);
            });
        }

        private static @Nullable PushRequest subscription(Fields fields) {
            URI endpoint = fields.meaning(
                    "endpoint",
                    "must be an https address of at most " + MAX_ENDPOINT + " characters",
                    PushRequest::url);
            PushRequest keys = fields.object("keys", PushRequest::keys);
            fields.require("endpoint", "keys");
            fields.ignoreUnknown();
            return endpoint == null || keys == null ? null : new PushRequest("", endpoint, keys.publicKey, keys.secret);
        }

        private static @Nullable PushRequest keys(Fields fields) {
            String point = fields.meaning(
                    "p256dh",
                    "must be base64url without padding: the 65 bytes of a public key, a point on P-256",
                    PushRequest::publicKey);
            String secret = fields.meaning(
                    "auth",
                    "must be base64url without padding: 16 bytes",
                    text -> Base64Url.decode(text, SECRET_BYTES) == null ? null : text);
            fields.require("p256dh", "auth");
            fields.ignoreUnknown();
            return point == null || secret == null ? null : new PushRequest("", URI.create(""), point, secret);
        }

        private static @Nullable String publicKey(String text) {
            byte[] point = Base64Url.decode(text, POINT_BYTES);
            boolean isPoint = point != null
                    && point[0] == UNCOMPRESSED
                    && P256.isPoint(
                            Arrays.copyOfRange(point, 1, SECOND), Arrays.copyOfRange(point, SECOND, POINT_BYTES));
            return isPoint ? text : null;
        }

        private static @Nullable URI url(String text) {
            try {
                URI url = text.length() > MAX_ENDPOINT ? URI.create("") : URI.create(text);
                boolean isUsable = "https".equals(url.getScheme())
                        && url.getHost() != null
                        && url.getPort() != 0
                        && url.getPort() <= MAX_PORT
                        && url.getRawUserInfo() == null
                        && url.getRawFragment() == null;
                return isUsable ? url : null;
            } catch (IllegalArgumentException malformed) {
                return null;
            }
        }
    }

    /** The key of the service, and the devices of a user, newest first. */
    public Answer<Pushing> read(UserId user) {
        return notices.sendsPushes() ? Answer.given(new Pushing(key, devices.of(user))) : Answer.refused(notSetUp());
    }

    /** Adds a device, and tells its user so, and the users of those that give way. */
    public Answer<PushDevice> add(UserId user, PushRequest asked) {
        if (!notices.sendsPushes()) {
            return Answer.refused(notSetUp());
        }
        if (!isPublic.test(asked.endpoint.getHost())) {
            String message = ENDPOINT + " must be at a public address.";
            return Answer.refused(Refusal.invalid(List.of(new Problem(ENDPOINT, message))));
        }
        PushDevice device = new PushDevice(
                random.uuid(),
                user,
                asked.name,
                asked.endpoint,
                asked.publicKey,
                asked.secret,
                Instants.truncated(clock.instant()));
        for (PushDevice gone : devices.add(device)) {
            notices.send(gone.user(), new Notice.DeviceRemoved(gone.name(), device.createdAt()));
        }
        notices.send(user, new Notice.DeviceAdded(device.name(), device.createdAt()));
        return Answer.given(device);
    }

    /** Removes a device, and tells its user so. */
    public Answer<UUID> remove(UserId user, UUID id) {
        if (!notices.sendsPushes()) {
            return Answer.refused(notSetUp());
        }
        PushDevice device = devices.remove(user, id).orElse(null);
        if (device == null) {
            return Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "You have no device with this id."));
        }
        notices.send(user, new Notice.DeviceRemoved(device.name(), Instants.truncated(clock.instant())));
        return Answer.given(id);
    }

    private static Refusal notSetUp() {
        return Refusal.of(Refusal.Code.NOT_FOUND, "This service pushes no notifications to devices.");
    }
}
