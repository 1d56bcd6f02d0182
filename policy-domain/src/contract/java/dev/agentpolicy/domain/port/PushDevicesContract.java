package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.NoticeSettings;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.PushDevices;
import dev.agentpolicy.domain.port.signin.PushDevices.PushDevice;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link PushDevices}. */
public interface PushDevicesContract extends StoreContract {

    @Test
    default void devices_are_listed_newest_first_and_end_when_their_user_removes_them() {
        UserId user = StoreSamples.user();
        PushDevice first = device(user, 1);
        PushDevice second = device(user, 2);
        ports().pushDevices().add(first);
        ports().pushDevices().add(second);
        ports().pushDevices().add(device(StoreSamples.user(), 3));

        assertThat(ports().pushDevices().of(user)).containsExactly(second, first);
        assertThat(ports().pushDevices().remove(StoreSamples.user(), first.id()))
                .isEmpty();
        assertThat(ports().pushDevices().remove(user, first.id())).contains(first);
        assertThat(ports().pushDevices().of(user)).containsExactly(second);
    }

    @Test
    default void a_browser_is_the_device_of_whoever_subscribed_last_and_the_oldest_give_way() {
        UserId user = StoreSamples.user();
        UserId other = StoreSamples.user();
        PushDevice shared = device(user, 1);
        assertThat(ports().pushDevices().add(shared)).isEmpty();
        assertThat(ports().pushDevices().add(shared)).as("of the same user").isEmpty();
        PushDevice taken = new PushDevice(
                UUID.randomUUID(), other, "taken", shared.endpoint(), "key", "secret", StoreSamples.START);
        assertThat(ports().pushDevices().add(taken)).containsExactly(shared);
        assertThat(ports().pushDevices().of(user)).isEmpty();
        assertThat(ports().pushDevices().of(other)).containsExactly(taken);

        List<PushDevice> many = new ArrayList<>();
        for (int i = 0; i <= PushDevices.MAX; i++) {
            many.add(0, device(user, 10 + i));
            assertThat(ports().pushDevices().add(many.get(0)))
                    .isEqualTo(i < PushDevices.MAX ? List.of() : List.of(many.get(PushDevices.MAX)));
        }
        assertThat(ports().pushDevices().of(user)).isEqualTo(many.subList(0, PushDevices.MAX));
    }

    @Test
    default void a_changed_password_ends_the_devices_and_so_does_the_end_of_the_account() {
        User user = person();
        ports().pushDevices().add(device(user.id(), 1));
        ports().users().changePassword(user.id(), "next", null, null);
        assertThat(ports().pushDevices().of(user.id())).isEmpty();

        ports().pushDevices().add(device(user.id(), 2));
        ports().accountRemoval().remove(user.id());
        assertThat(ports().pushDevices().of(user.id())).isEmpty();
    }

    @Test
    default void a_user_is_told_once_and_becomes_due_when_it_is_too_early() {
        UserId user = person().id();
        Instant now = Instant.parse("2001-01-01T00:00:00Z");
        Instant later = now.plusSeconds(60);
        assertThat(ports().pushDevices().claim(user, now, false, told -> now)).isFalse();
        assertThat(ports().pushDevices().claim(user, now, true, told -> told == null ? now : later))
                .isTrue();

        assertThat(ports().pushDevices().claim(user, now, true, told -> now.equals(told) ? later : now))
                .isFalse();
        assertThat(ports().pushDevices().due(later.minusSeconds(1), 1_000)).doesNotContain(user);
        assertThat(ports().pushDevices().due(later, 1_000)).contains(user);
        ports().users().setNotices(user, NoticeSettings.DEFAULT);
        assertThat(ports().pushDevices().due(later.minusSeconds(1), 1_000)).contains(user);
        assertThat(ports().pushDevices().claim(user, now, false, told -> later)).isFalse();
        assertThat(ports().pushDevices().due(later.minusSeconds(1), 1_000)).doesNotContain(user);

        long isTold = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> ports().pushDevices().claim(user, later, false, told -> later)))
                .toList()
                .stream()
                .filter(CompletableFuture::join)
                .count();
        assertThat(isTold).isEqualTo(1);
        assertThat(ports().pushDevices().due(later, 1_000)).doesNotContain(user);
    }

    private User person() {
        UserId id = StoreSamples.user();
        User user = new User(id, id + "@example.org", "hash", StoreSamples.START);
        ports().users().add(user);
        return user;
    }

    private static PushDevice device(UserId user, int second) {
        return new PushDevice(
                UUID.randomUUID(),
                user,
                "Phone",
                URI.create("https://push.example/" + user + "/" + second),
                "B" + "A".repeat(86),
                "A".repeat(22),
                StoreSamples.START.plusSeconds(second));
    }
}
