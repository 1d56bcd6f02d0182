package dev.agentpolicy.app.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.signing.WebPush;
import dev.agentpolicy.app.CapturedLog;
import dev.agentpolicy.app.SoftBrowser;
import dev.agentpolicy.app.StandInPushService;
import dev.agentpolicy.app.StandInPushService.Posted;
import dev.agentpolicy.app.connection.DocumentServer;
import dev.agentpolicy.app.connection.PublicHttps;
import dev.agentpolicy.app.push.PushOutbox.PushOutcome;
import dev.agentpolicy.app.push.PushOutbox.PushServices;
import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.NoticeSettings;
import dev.agentpolicy.domain.agent.NoticeSettings.QuietHours;
import dev.agentpolicy.domain.agent.RequestNotices;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.port.signin.PushDevices.PushDevice;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When devices are told what, by two nodes with one store. */
class PushOutboxTest {
    private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");
    private static final WebPush CRYPTO = WebPush.of(Sha256::of);
    private static final long SOON_NANOS = 10_000_000_000L;
    private static SSLContext certificate;

    private final SettableClock clock = new SettableClock(NOON);
    private final InMemoryStore store = new InMemoryStore(clock, new JdkSigner());
    private final Queue<PushOutcome> outcomes = new ConcurrentLinkedQueue<>();
    private final ExecutorService calls = Executors.newCachedThreadPool();
    private final SoftBrowser browser = SoftBrowser.make();
    private final UserId user = new UserId(UUID.randomUUID());
    private StandInPushService service;
    private PushOutbox outbox;
    private PushOutbox other;

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        certificate = DocumentServer.certificate(folder);
    }

    @BeforeEach
    void start() throws Exception {
        service = StandInPushService.start(certificate);
        outbox = node(service.web(calls));
        other = node(service.web(calls));
        store.users().add(new User(user, "anna@example.org", "hash", NOON));
        store.pushDevices().add(device(service.endpoint("phone")));
    }

    @AfterEach
    void stop() {
        outbox.close();
        other.close();
        service.close();
        calls.shutdownNow();
    }

    @Test
    void the_first_request_is_told_at_once_and_those_after_it_in_one_digest_by_one_node() throws Exception {
        Proposal first = propose();
        outbox.send(user, new Notice.RequestWaits(first, 1));
        assertThat(next().body())
                .contains("\"A request waits for you\"", "/requests/" + first.id(), "30 November, 12:00 UTC")
                .doesNotContain("250");

        for (int i = 0; i < 3; i++) {
            (i == 1 ? other : outbox).send(user, new Notice.RequestWaits(propose(), 1));
        }
        await(() ->
                !store.pushDevices().due(NOON.plus(Duration.ofMinutes(5)), 10).isEmpty());
        clock.advance(Duration.ofMinutes(4));
        assertThat(outbox.tellDue()).isZero();
        clock.advance(Duration.ofMinutes(1));
        outbox.tellDue();
        other.tellDue();

        assertThat(next()).isEqualTo(new Told("requests", message("4 requests wait for you", "/requests")));
        await(() -> outbox.tellDue() == 0);
        outbox.send(user, new Notice.KeyMinted("Robot", NOON));
        assertThat(next().body()).as("nothing came between").contains("A key was made", "\"/agents\"");
    }

    @Test
    void requests_wait_for_the_end_of_quiet_hours_and_what_concerns_safety_does_not() throws Exception {
        choose(RequestNotices.WITH_AMOUNTS);
        clock.set(Instant.parse("2026-11-23T22:30:00Z"));
        Proposal proposal = propose();
        outbox.send(user, new Notice.RequestWaits(proposal, 1));
        outbox.send(user, new Notice.PasswordChanged(NOON));
        assertThat(next().body()).contains("Your password was changed", "\"/account\"");
        Instant morning = Instant.parse("2026-11-24T05:30:00Z");
        await(() -> store.pushDevices().due(morning, 10).contains(user));

        clock.set(morning.minusSeconds(1));
        assertThat(other.tellDue()).isZero();
        clock.set(morning);
        other.tellDue();
        assertThat(next().body()).contains("Rebalancer wants to buy BTC for 250 USD.");
    }

    @Test
    void requests_that_were_answered_meanwhile_and_those_of_users_who_want_none_are_not_told() throws Exception {
        outbox.send(user, new Notice.RequestWaits(StoreSamples.proposal(7, user, key(), NOON, NOON), 1));
        await(this::isTold);
        choose(RequestNotices.OFF);
        outbox.send(user, new Notice.RequestWaits(propose(), 1));
        outbox.send(user, new Notice.KeyMinted("Robot", NOON));

        assertThat(next().body()).contains("A key was made");
        assertThat(service.unread()).isZero();
    }

    @Test
    void a_device_that_is_gone_is_removed_and_a_service_that_fails_is_tried_again() throws Exception {
        PushDevice lost = device(service.endpoint("lost"));
        store.pushDevices().add(lost);
        service.answer(503);
        try (CapturedLog log = new CapturedLog()) {
            outbox.send(user, new Notice.KeyMinted("Robot", NOON));
            next();
            next();
            service.answer(404);
            next();
            next();
            await(() -> store.pushDevices().of(user).isEmpty());
            assertThat(List.copyOf(outcomes)).containsOnly(PushOutcome.GONE).hasSize(2);
            assertThat(log.messages())
                    .filteredOn(line -> line.contains("does not take"))
                    .hasSize(1);
        }
    }

    @Test
    void devices_that_hang_hold_up_nobody_else() throws Exception {
        UserId slow = new UserId(UUID.randomUUID());
        store.users().add(new User(slow, "slow@example.org", "hash", NOON));
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            URI hanging = URI.create("https://localhost:" + silent.getLocalPort() + "/");
            store.pushDevices().add(deviceOf(slow, hanging));
            for (int i = 0; i < 20; i++) {
                outbox.send(slow, new Notice.KeyMinted("Robot", NOON));
            }
            long begun = System.nanoTime();
            outbox.send(user, new Notice.KeyMinted("Robot", NOON));
            next();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
        }
    }

    @Test
    void what_waits_when_the_service_stops_is_sent_first() throws Exception {
        for (int i = 0; i < 30; i++) {
            outbox.send(user, new Notice.KeyMinted("Robot " + i, NOON));
        }
        outbox.close();
        assertThat(service.unread()).isEqualTo(30);
    }

    @Test
    void devices_that_a_change_of_the_password_ends_are_told_of_it() throws Exception {
        Consumer<Notice> told = outbox.beforeDevicesEnd(user);
        store.users().changePassword(user, "other", null, null);
        assertThat(store.pushDevices().of(user)).isEmpty();
        told.accept(new Notice.PasswordChanged(NOON));
        assertThat(next().body()).contains("Your password was changed");
    }

    @Test
    void an_endpoint_in_the_own_network_is_not_called() {
        PublicHttps web = new PublicHttps(calls);
        assertThat(web.isCallable("localhost")).isFalse();
        try (PushOutbox real = node(web);
                CapturedLog log = new CapturedLog()) {
            real.send(user, new Notice.KeyMinted("Robot", NOON));
            await(() -> log.messages().stream().anyMatch(line -> line.contains("not one of the public internet")));
        }
        assertThat(service.unread()).isZero();
    }

    private PushOutbox node(PublicHttps web) {
        return new PushOutbox(
                Notices.NONE,
                store.users(),
                store.pushDevices(),
                store.requestQueue(),
                new PushServices(CRYPTO, web, Optional.empty()),
                clock,
                outcomes::add);
    }

    private PushDevice device(URI endpoint) {
        return deviceOf(user, endpoint);
    }

    private PushDevice deviceOf(UserId owner, URI endpoint) {
        return new PushDevice(UUID.randomUUID(), owner, "Phone", endpoint, browser.publicKey(), browser.secret(), NOON);
    }

    private void choose(RequestNotices push) {
        QuietHours night = new QuietHours(LocalTime.of(22, 0), LocalTime.of(6, 30), ZoneId.of("Europe/Berlin"));
        store.users().setNotices(user, new NoticeSettings(push, RequestNotices.PLAIN, night, 5));
    }

    /** Whether the user counts as told, so that the next notice is due after the digest. */
    private boolean isTold() {
        boolean[] isTold = {false};
        store.pushDevices().claim(user, NOON, true, toldAt -> {
            isTold[0] = toldAt != null;
            return NOON.plusSeconds(1);
        });
        return isTold[0];
    }

    private static AgentKeyId key() {
        return new AgentKeyId(UUID.randomUUID());
    }

    private Proposal propose() {
        return store.change(user, StoreSamples.change(account -> {
                    Pending pending = Pending.of(StoreSamples.proposal(
                            account.requestIds().getAsLong(),
                            user,
                            key(),
                            account.now(),
                            account.now().plus(Duration.ofDays(7))));
                    return new Recording().request(pending).answer(receipts -> pending.proposal());
                }))
                .toCompletableFuture()
                .join();
    }

    /** What a device was told, opened. */
    private record Told(String topic, String body) {}

    private Told next() throws InterruptedException {
        Posted posted = service.next();
        return new Told(posted.topic(), browser.open(posted.body()));
    }

    private static String message(String title, String href) {
        return new String(
                new PushMessage(title, "Agents wait for your answers.", href, "requests").json(),
                StandardCharsets.UTF_8);
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + SOON_NANOS;
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
